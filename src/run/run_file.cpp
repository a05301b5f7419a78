#include "run/run_file.hpp"

#include <cassert>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/run_error.hpp>

#include "base/parallel.hpp"
#include "run/block_codec.hpp"
#include "run/file_run_storage.hpp"
#include "run/run.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

/// Raw blocks of a file that lie one behind the other are read together up to this size: disks and systems prefer it.
constexpr std::uint64_t kLongestReadBytes = 1 << 20;

void require_run_length(const RunStorage& storage, std::uint64_t file_bytes) {
  if (file_bytes >= kRunHeaderBytes + kRunTrailerBytes) return;
  throw DamagedFile(storage.path(), "run file " + storage.name() + " cannot be used: it is too short to be one");
}

[[noreturn]] void refuse(const Run& run, std::size_t index, const char* reason) {
  throw DamagedFile(run.storage->path(), "block " + std::to_string(run.slice.first_block + index) + " of run " +
                                             std::to_string(run.identity.run_number) + " in " + run.storage->name() +
                                             " " + reason + "; " + run.storage->remedy());
}

void check(const Run& run, std::size_t index, std::span<const std::byte> stored) {
  if (!is_checked(run.blocks[index], *run.storage)) return;
  if (block_checksum(stored, run.identity, run.slice.first_block + index) == run.blocks[index].checksum) return;
  refuse(run, index, "is damaged (its checksum differs)");
}

/// The end of the raw blocks at the beginning of `range` that one read brings in, or of its first block.
std::size_t end_of_read(const BlockRange& range) {
  const std::vector<BlockInfo>& blocks = range.run->blocks;
  const BlockInfo& first = blocks[range.begin];
  std::uint64_t bytes = first.stored_bytes;
  std::size_t end = range.begin + 1;
  if (first.codec != BlockCodec::kRaw || !range.run->storage->in_file()) return end;
  for (; end < range.end; ++end) {
    const BlockInfo& block = blocks[end];
    const bool fits = block.codec == BlockCodec::kRaw && block.offset == first.offset + bytes;
    if (!fits || bytes + block.stored_bytes > kLongestReadBytes) break;
    bytes += block.stored_bytes;
  }
  return end;
}

/// Calls visit(read) for each part of `range` that is read at once.
template <class Visit>
void for_each_read(BlockRange range, const Visit& visit) {
  while (range.begin < range.end) {
    BlockRange read = range;
    read.end = end_of_read(range);
    std::size_t bytes = 0;
    for (std::size_t b = read.begin; b < read.end; ++b) {
      bytes += static_cast<std::size_t>(range.run->blocks[b].record_bytes);
    }
    read.target = range.target.first(bytes);
    range.target = range.target.subspan(bytes);
    range.begin = read.end;
    visit(read);
  }
}

/// Reads raw blocks that lie one behind the other.
void read_raw(const BlockRange& range) {
  const Run& run = *range.run;
  run.storage->read(run.blocks[range.begin].offset, range.target);
  std::span<const std::byte> rest = range.target;
  for (std::size_t index = range.begin; index < range.end; ++index) {
    const auto bytes = static_cast<std::size_t>(run.blocks[index].record_bytes);
    check(run, index, rest.first(bytes));
    rest = rest.subspan(bytes);
  }
}

/// Calls visit(offset, bytes) for what blocks [begin, end) take of the storage. Runs that were written at the same time
/// may lie between them, and in memory blocks with neighbouring offsets may lie apart.
template <class Visit>
void for_each_extent(const Run& run, std::size_t begin, std::size_t end, const Visit& visit) {
  while (begin < end) {
    const std::uint64_t offset = run.blocks[begin].offset;
    std::uint64_t bytes = 0;
    do {
      bytes += run.blocks[begin++].stored_bytes;
    } while (run.storage->in_file() && begin < end && run.blocks[begin].offset == offset + bytes);
    visit(offset, bytes);
  }
}

/// A packed block as it is stored.
class StoredBlock {
 public:
  StoredBlock(const Run& run, std::size_t index)
      : size_(static_cast<std::size_t>(run.blocks[index].stored_bytes)),
        memory_(std::make_unique_for_overwrite<std::byte[]>(size_)) {
    const std::span<std::byte> stored(memory_.get(), size_);
    run.storage->read(run.blocks[index].offset, stored);
    check(run, index, stored);
  }

  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<std::byte[]> memory_;
};

/// Where the footer lies, as the trailer says.
RunTrailer read_run_trailer(const RunStorage& storage, std::uint64_t file_bytes) {
  require_run_length(storage, file_bytes);
  std::vector<std::byte> bytes(kRunTrailerBytes);
  storage.read(file_bytes - kRunTrailerBytes, bytes);
  return decode_run_trailer(bytes, file_bytes, storage.path());
}

}  // namespace

RunFile open_run_file(FileSystem& files, const std::string& path) {
  std::unique_ptr<File> file = files.open_input(path);
  const std::uint64_t file_bytes = file->seekable() ? file->size() : 0;
  return open_stored_run(std::make_shared<FileRunStorage>(std::move(file), file_bytes), file_bytes);
}

RunHeader read_run_header(const RunStorage& storage) {
  std::vector<std::byte> bytes(kRunHeaderBytes);
  storage.read(0, bytes);
  return decode_run_header(bytes, storage.path());
}

RunFile open_stored_run(std::shared_ptr<RunStorage> storage, std::uint64_t file_bytes) {
  require_run_length(*storage, file_bytes);
  const RunHeader header = read_run_header(*storage);
  const RunTrailer trailer = read_run_trailer(*storage, file_bytes);
  std::vector<std::byte> bytes(static_cast<std::size_t>(trailer.footer_bytes));
  storage->read(trailer.footer_offset, bytes);
  Run run = decode_run_footer(bytes, trailer, header, storage->path());
  run.stored_bytes = file_bytes;
  run.storage = std::move(storage);
  return {header, std::move(run), trailer.footer_checksum};
}

std::uint64_t read_index_checksum(const RunStorage& storage, std::uint64_t file_bytes) {
  return read_run_trailer(storage, file_bytes).footer_checksum;
}

std::uint64_t own_bytes(const Run& run, std::size_t index) {
  const std::uint64_t behind = index + 1 == run.blocks.size() ? run.slice.bytes_behind : 0;
  return run.blocks[index].record_bytes - bytes_before(run, index) - behind;
}

void check_block(const Run& run, std::size_t index) {
  const BlockInfo& block = run.blocks.at(index);
  check(run, index, run.storage->view(block.offset, block.stored_bytes));
}

void read_block(const Run& run, std::size_t index, std::span<std::byte> target) {
  assert(target.size() == run.blocks.at(index).record_bytes);
  if (run.blocks[index].codec == BlockCodec::kRaw) return read_raw({&run, index, index + 1, target});
  const StoredBlock stored(run, index);
  if (!decode_block(run.blocks[index].codec, stored.bytes(), target)) refuse(run, index, "cannot be unpacked");
}

BlockRecords::BlockRecords(const Run& run, std::size_t index)
    : size_(static_cast<std::size_t>(run.blocks.at(index).record_bytes)) {
  const BlockInfo& block = run.blocks[index];
  const auto make_room = [this] {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(size_);
    return std::span(memory_.get(), size_);
  };
  if (block.codec == BlockCodec::kRaw) {
    read_raw({&run, index, index + 1, make_room()});
    return;
  }
  const StoredBlock stored(run, index);
  if (unpacked_bytes(block.codec, stored.bytes()) != block.record_bytes ||
      !decode_block(block.codec, stored.bytes(), make_room())) {
    refuse(run, index, "cannot be unpacked");
  }
}

void read_blocks(std::span<const BlockRange> ranges) {
  // A task reads what one call can read, or the whole range where blocks must be read one after another.
  std::vector<BlockRange> tasks;
  for (const BlockRange& range : ranges) {
    if (range.run->storage->is_sequential()) {
      tasks.push_back(range);
    } else {
      for_each_read(range, [&](const BlockRange& read) { tasks.push_back(read); });
    }
  }
  parallel_for(0, tasks.size(), [&](std::size_t t) {
    for_each_read(tasks[t], [](const BlockRange& read) {
      const bool is_one = read.end - read.begin == 1;
      is_one ? read_block(*read.run, read.begin, read.target) : read_raw(read);
    });
  });
}

void expect_blocks(const Run& run, std::size_t begin, std::size_t end) noexcept {
  for_each_extent(run, begin, end,
                  [&](std::uint64_t offset, std::uint64_t bytes) { run.storage->expect_read(offset, bytes); });
}

void release_blocks(const Run& run, std::size_t begin, std::size_t end) noexcept {
  for_each_extent(run, begin, end,
                  [&](std::uint64_t offset, std::uint64_t bytes) { run.storage->release(offset, bytes); });
}

}  // namespace sortie
