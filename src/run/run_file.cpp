#include "run/run_file.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "run/file_run_storage.hpp"

namespace sortie {

namespace {

RunTrailer read_trailer(const RunStorage& storage, std::uint64_t file_bytes) {
  std::vector<std::byte> bytes(kRunTrailerBytes);
  storage.read(file_bytes - kRunTrailerBytes, bytes);
  return decode_run_trailer(bytes, file_bytes, storage.name());
}

}  // namespace

RunFile open_run_file(FileSystem& files, const std::string& path) {
  std::unique_ptr<File> file = files.open_input(path);
  const std::uint64_t file_bytes = file->seekable() ? file->size() : 0;
  return open_stored_run(std::make_shared<FileRunStorage>(std::move(file), file_bytes), file_bytes);
}

RunFile open_stored_run(std::shared_ptr<RunStorage> storage, std::uint64_t file_bytes) {
  const std::string name = storage->name();
  if (file_bytes < kRunHeaderBytes + kRunTrailerBytes) {
    throw Error("run file " + name + " cannot be used: it is too short to be one");
  }
  std::vector<std::byte> bytes(kRunHeaderBytes);
  storage->read(0, bytes);
  const RunHeader header = decode_run_header(bytes, name);
  const RunTrailer trailer = read_trailer(*storage, file_bytes);
  bytes.resize(static_cast<std::size_t>(trailer.footer_bytes));
  storage->read(trailer.footer_offset, bytes);
  Run run = decode_run_footer(bytes, trailer, header, name);
  run.stored_bytes = file_bytes;
  run.storage = std::move(storage);
  return {header, std::move(run), trailer.footer_checksum};
}

std::uint64_t read_index_checksum(const RunStorage& storage, std::uint64_t file_bytes) {
  return read_trailer(storage, file_bytes).footer_checksum;
}

}  // namespace sortie
