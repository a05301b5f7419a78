#include <cassert>
#include <memory>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "run/block_codec.hpp"
#include "run/run.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

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
