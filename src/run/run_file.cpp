#include "run/run_file.hpp"

#include <cassert>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "run/block_codec.hpp"
#include "run/file_run_storage.hpp"
#include "run/run.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

RunTrailer read_trailer(const RunStorage& storage, std::uint64_t file_bytes) {
  std::vector<std::byte> bytes(kRunTrailerBytes);
  storage.read(file_bytes - kRunTrailerBytes, bytes);
  return decode_run_trailer(bytes, file_bytes, storage.name());
}

[[noreturn]] void refuse(const Run& run, std::size_t index, const char* reason) {
  throw Error("block " + std::to_string(index) + " of run " + std::to_string(run.identity.run_number) + " in " +
              run.storage->name() + " " + reason + "; " + run.storage->remedy());
}

void check(const Run& run, std::size_t index, std::span<const std::byte> stored) {
  if (!is_checked(run.blocks[index], *run.storage)) return;
  if (block_checksum(stored, run.identity, index) == run.blocks[index].checksum) return;
  refuse(run, index, "is damaged (its checksum differs)");
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

void check_block(const Run& run, std::size_t index) {
  const BlockInfo& block = run.blocks.at(index);
  check(run, index, run.storage->view(block.offset, block.stored_bytes));
}

void read_block(const Run& run, std::size_t index, std::span<std::byte> target) {
  const BlockInfo& block = run.blocks.at(index);
  assert(target.size() == block.record_bytes);
  if (block.codec == BlockCodec::kRaw) {
    run.storage->read(block.offset, target);
    check(run, index, target);
    return;
  }
  const auto bytes = static_cast<std::size_t>(block.stored_bytes);
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
  const std::span<std::byte> stored(memory.get(), bytes);
  run.storage->read(block.offset, stored);
  check(run, index, stored);
  if (!decode_block(block.codec, stored, target)) refuse(run, index, "cannot be unpacked");
}

void read_blocks(std::span<const BlockRange> ranges) {
  // A task reads one block, or the whole range where blocks are best read one after another.
  std::vector<BlockRange> tasks;
  for (const BlockRange& range : ranges) {
    if (range.run->storage->is_sequential()) {
      tasks.push_back(range);
      continue;
    }
    std::span<std::byte> rest = range.target;
    for (std::size_t block = range.begin; block < range.end; ++block) {
      const auto bytes = static_cast<std::size_t>(range.run->blocks[block].record_bytes);
      tasks.push_back({range.run, block, block + 1, rest.first(bytes)});
      rest = rest.subspan(bytes);
    }
  }
  parallel_for(0, tasks.size(), [&](std::size_t t) {
    const BlockRange& task = tasks[t];
    std::span<std::byte> rest = task.target;
    for (std::size_t index = task.begin; index < task.end; ++index) {
      const BlockInfo& block = task.run->blocks[index];
      const auto bytes = static_cast<std::size_t>(block.record_bytes);
      read_block(*task.run, index, rest.first(bytes));
      task.run->storage->release(block.offset, block.stored_bytes);
      rest = rest.subspan(bytes);
    }
  });
}

}  // namespace sortie
