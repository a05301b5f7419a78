#include "run/run_file.hpp"

#include <memory>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "run/file_run_storage.hpp"

namespace sortie {

RunFile open_run_file(FileSystem& files, const std::string& path) {
  std::unique_ptr<File> file = files.open_input(path);
  const std::string name = quote_word(path);
  const std::uint64_t file_bytes = file->seekable() ? file->size() : 0;
  if (file_bytes < kRunHeaderBytes + kRunTrailerBytes) {
    throw Error("run file " + name + " cannot be used: it is too short to be one");
  }
  const auto storage = std::make_shared<FileRunStorage>(std::move(file), file_bytes);
  std::vector<std::byte> bytes(kRunHeaderBytes);
  storage->read(0, bytes);
  const RunHeader header = decode_run_header(bytes, name);
  bytes.resize(kRunTrailerBytes);
  storage->read(file_bytes - kRunTrailerBytes, bytes);
  const RunTrailer trailer = decode_run_trailer(bytes, file_bytes, name);
  bytes.resize(static_cast<std::size_t>(trailer.footer_bytes));
  storage->read(trailer.footer_offset, bytes);
  Run run = decode_run_footer(bytes, trailer, header, name);
  run.stored_bytes = file_bytes;
  run.storage = storage;
  return {header, std::move(run)};
}

}  // namespace sortie
