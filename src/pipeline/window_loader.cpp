#include "pipeline/window_loader.hpp"

#include <tbb/parallel_for.h>

#include <cstring>

#include "base/size.hpp"
#include "pipeline/memory_plan.hpp"
#include "record/sorted_search.hpp"

namespace sortie {
namespace {

struct BlockTask {
  const Run* run = nullptr;
  std::size_t block = 0;
  std::span<std::byte> target;
};

}  // namespace

WindowLoader::WindowLoader(const RecordOrder& order, std::span<const Run> runs, std::size_t arena_count,
                           std::uint64_t arena_bytes, Observer& observer)
    : order_(order), runs_(runs), observer_(observer), cursors_(runs.size()) {
  for (std::size_t i = 0; i < arena_count; ++i) arenas_.emplace_back(arena_bytes);
}

Window WindowLoader::load(std::optional<WindowBound> bound) {
  auto span = observer_.span("load window");
  const std::vector<std::size_t> block_ends = blocks_needed(bound);
  const std::vector<std::span<std::byte>> filled = fill_arena(block_ends);

  Record bound_record;
  std::vector<std::size_t> cuts(runs_.size());
  if (bound) {
    // The bound's block is the last that was loaded of its run.
    const std::span<const std::byte> bytes = filled[bound->run];
    cuts[bound->run] = bytes.size() - runs_[bound->run].blocks[bound->block].record_bytes;
    const std::byte* record = bytes.data() + cuts[bound->run];
    bound_record = {record,
                    static_cast<std::size_t>(stored_length(order_.layout(), record, bytes.data() + bytes.size()))};
  }
  tbb::parallel_for(std::size_t{0}, runs_.size(), [&](std::size_t r) {
    if (!bound) {
      cuts[r] = filled[r].size();
    } else if (r != bound->run) {
      cuts[r] = r < bound->run ? upper_bound_record(order_, filled[r], bound_record)
                               : lower_bound_record(order_, filled[r], bound_record);
    }
  });

  Window window;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    window.ranges.push_back(filled[r].first(cuts[r]));
    window.bytes += cuts[r];
    cursors_[r].rest = filled[r].subspan(cuts[r]);
    cursors_[r].next_block = block_ends[r];
  }
  span.set_bytes(window.bytes);
  return window;
}

// For every run, the end of the blocks that may hold a record before the bound, and the bound's own block.
std::vector<std::size_t> WindowLoader::blocks_needed(const std::optional<WindowBound>& bound) const {
  std::vector<std::size_t> ends(runs_.size());
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const std::vector<BlockInfo>& blocks = runs_[r].blocks;
    std::size_t end = cursors_[r].next_block;
    if (!bound) {
      end = blocks.size();
    } else if (r == bound->run) {
      end = bound->block + 1;
    } else {
      const BlockInfo& bound_block = runs_[bound->run].blocks[bound->block];
      while (end < blocks.size()) {
        const int order = compare_first_keys(order_.plan(), blocks[end], bound_block);
        if (order > 0 || (order == 0 && r > bound->run)) break;
        ++end;
      }
    }
    ends[r] = end;
  }
  return ends;
}

std::vector<std::span<std::byte>> WindowLoader::fill_arena(const std::vector<std::size_t>& block_ends) {
  std::vector<std::uint64_t> sizes(runs_.size());
  std::uint64_t total_bytes = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    sizes[r] = cursors_[r].rest.size();
    for (std::size_t b = cursors_[r].next_block; b < block_ends[r]; ++b) sizes[r] += runs_[r].blocks[b].record_bytes;
    total_bytes += round_up(sizes[r], kRangeAlignment);
  }
  std::span<std::byte> free = next_arena(total_bytes);
  std::vector<std::span<std::byte>> filled;
  std::vector<BlockTask> tasks;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    filled.push_back(free.first(sizes[r]));
    free = free.subspan(round_up(sizes[r], kRangeAlignment));
    std::uint64_t at = cursors_[r].rest.size();
    for (std::size_t b = cursors_[r].next_block; b < block_ends[r]; ++b) {
      const std::uint64_t bytes = runs_[r].blocks[b].record_bytes;
      tasks.push_back({&runs_[r], b, filled[r].subspan(at, bytes)});
      at += bytes;
    }
  }
  tbb::parallel_for(std::size_t{0}, runs_.size(), [&](std::size_t r) {
    const std::span<const std::byte> rest = cursors_[r].rest;
    if (!rest.empty()) std::memcpy(filled[r].data(), rest.data(), rest.size());
  });
  tbb::parallel_for(std::size_t{0}, tasks.size(), [&](std::size_t t) {
    const BlockTask& task = tasks[t];
    const BlockInfo& block = task.run->blocks[task.block];
    read_block(*task.run, task.block, task.target);
    task.run->storage->release(block.offset, block.stored_bytes);
  });
  return filled;
}

std::span<std::byte> WindowLoader::next_arena(std::uint64_t bytes) {
  MemoryRegion& arena = arenas_[next_arena_];
  next_arena_ = (next_arena_ + 1) % arenas_.size();
  if (arena.size() < bytes) {
    arena = MemoryRegion();
    arena = MemoryRegion(bytes);
  }
  return arena.bytes();
}

}  // namespace sortie
