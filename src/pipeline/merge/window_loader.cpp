#include "pipeline/merge/window_loader.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/run_error.hpp>

#include "base/bytes.hpp"
#include "base/memory_region.hpp"
#include "base/parallel.hpp"
#include "base/size.hpp"
#include "io/output/parallel_writer.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "record/record_order.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

bool is_in_huge_pages(const Run& run) { return ParallelWriter::may_make_huge_pages(run.stored_bytes); }

/// Memory that a mapped run file may take at both ends of its part of the window: the system maps 64 KiB around a page
/// that is touched, or all of a huge page, and that counts as memory of the process.
std::uint64_t mapped_around(const Run& run) { return is_in_huge_pages(run) ? 2 * kHugePageBytes : 128 << 10; }

/// The space of a run file that has been read is given back in so many stretches, or in more that are not longer than
/// this: see "One merge pass on a disk" in tools/bench/RESULTS.md.
constexpr std::size_t kStretchesOfRun = 32;
constexpr std::uint64_t kMostStretchBytes = 64 << 20;

/// All records of a run, in place. Empty if they are in a file that may not be mapped or does not lie in memory, are
/// not stored raw, or are not contiguous, as in a file that several runs filled at once.
std::span<const std::byte> records_in_place(const Run& run, bool may_map_files) {
  if (!may_map_files && run.storage->in_file()) return {};
  const auto is_raw = [](const BlockInfo& block) { return block.codec == BlockCodec::kRaw; };
  if (run.blocks.empty() || !std::ranges::all_of(run.blocks, is_raw)) return {};
  if (run.slice.bytes_before + run.slice.bytes_behind > 0) return {};
  const std::uint64_t end = run.blocks.back().offset + run.blocks.back().stored_bytes;
  if (end - run.blocks.front().offset != run.record_bytes) return {};
  return run.storage->view(run.blocks.front().offset, run.record_bytes);
}

}  // namespace

WindowLoader::WindowLoader(const RecordOrder& order, std::span<const Run> runs, std::size_t arena_count,
                           std::uint64_t arena_bytes, MemoryPinner pin, Observer& observer)
    : order_(order),
      runs_(runs),
      pin_(std::move(pin)),
      observer_(observer),
      arena_bytes_(arena_bytes),
      arenas_(arena_count),
      cursors_(runs.size()) {
  // Records for a device are copied to pinned memory anyway.
  const std::uint64_t around = std::transform_reduce(runs.begin(), runs.end(), std::uint64_t{0}, std::plus<>(),
                                                     [](const Run& run) { return mapped_around(run); });
  const bool may_map_files = !pin_ && around <= arena_bytes;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    in_place_.push_back(records_in_place(runs[r], may_map_files));
    cursors_[r].rest = in_place_[r].first(0);
  }
}

Window WindowLoader::load(std::optional<WindowBound> bound) {
  auto span = observer_.span("load window");
  release_files();
  const std::vector<std::size_t> block_ends = blocks_needed(bound);
  const std::vector<std::span<const std::byte>> filled = gather_ranges(block_ends);

  Record bound_record;
  std::vector<std::size_t> cuts(runs_.size());
  if (bound) {
    // The bound's block is the last one loaded of its run.
    const std::span<const std::byte> bytes = filled[bound->run];
    cuts[bound->run] = bytes.size() - own_bytes(runs_[bound->run], bound->block);
    bound_record = first_record(order_.layout(), bytes.subspan(cuts[bound->run]));
  }
  parallel_for(0, runs_.size(), [&](std::size_t r) {
    if (!bound) {
      cuts[r] = filled[r].size();
    } else if (r != bound->run) {
      cuts[r] = cut_for_merge(order_, filled[r], r, bound_record, bound->run);
    }
  });

  Window window;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    window.ranges.push_back(filled[r].first(cuts[r]));
    window.bytes += cuts[r];
    cursors_[r].rest = filled[r].subspan(cuts[r]);
    cursors_[r].window_ends.push_back(filled[r].data() + cuts[r]);
    cursors_[r].next_block = block_ends[r];
    if (in_place_[r].empty()) release_read(r);
  }
  window.is_long = is_long_;
  span.set_bytes(window.bytes);
  return window;
}

void WindowLoader::read_ahead(const std::optional<WindowBound>& bound) const {
  const std::vector<std::size_t> block_ends = blocks_needed(bound);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (in_place_[r].empty()) expect_blocks(runs_[r], cursors_[r].next_block, block_ends[r]);
  }
}

void WindowLoader::check_runs() const {
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (in_place_[r].empty() || runs_[r].storage->view_is_intact()) continue;
    const RunStorage& storage = *runs_[r].storage;
    throw DamagedFile(storage.path(), "run file " + storage.name() + " cannot be read: " + storage.remedy());
  }
}

void WindowLoader::release(const Window& window) const noexcept {
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const std::span<const std::byte> records = in_place_[r];
    if (records.empty() || runs_[r].storage->in_file() || window.ranges[r].empty()) continue;
    const auto begin = static_cast<std::uint64_t>(window.ranges[r].data() - records.data());
    runs_[r].storage->release(runs_[r].blocks.front().offset + begin, window.ranges[r].size());
  }
}

// The next window reuses the arena of an older one: releases what that one took of run files that are merged in place.
// Releases whole pages: a page that holds a window's end stays mapped, and is memory of this process. A huge page would
// be cut up otherwise. Parallel: the system frees memory of one file at 7 to 9 GB/s.
void WindowLoader::release_files() {
  parallel_for(0, runs_.size(), [this](std::size_t r) {
    Cursor& cursor = cursors_[r];
    if (cursor.window_ends.size() < arenas_.size()) return;
    const std::byte* const end = cursor.window_ends.front();
    cursor.window_ends.pop_front();
    if (in_place_[r].empty() || !runs_[r].storage->in_file()) return;
    const std::uint64_t run_begin = runs_[r].blocks.front().offset;
    const auto merged_bytes = static_cast<std::uint64_t>(end - in_place_[r].data());
    const std::uint64_t begin = std::max(cursor.released_to, run_begin);
    const std::uint64_t page_bytes = is_in_huge_pages(runs_[r]) ? kHugePageBytes : kPageBytes;
    const std::uint64_t page = round_down(run_begin + merged_bytes, page_bytes);
    if (page <= begin) return;
    runs_[r].storage->release(begin, page - begin);
    cursor.released_to = page;
  });
}

// Giving space back is slow on some file systems, whatever its size: they ask the disk and wait for it.
void WindowLoader::release_read(std::size_t run) {
  Cursor& cursor = cursors_[run];
  const std::vector<BlockInfo>& blocks = runs_[run].blocks;
  const std::uint64_t stretches = std::max<std::uint64_t>(kStretchesOfRun, runs_[run].stored_bytes / kMostStretchBytes);
  const std::size_t least = cursor.next_block == blocks.size() ? 1 : divide_up(blocks.size(), stretches);
  if (cursor.next_block - cursor.released_blocks < least) return;
  release_blocks(runs_[run], cursor.released_blocks, cursor.next_block);
  cursor.released_blocks = cursor.next_block;
}

// For every run, the end of the blocks that may hold a record before the bound, including the bound's own block.
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

std::vector<std::span<const std::byte>> WindowLoader::gather_ranges(const std::vector<std::size_t>& block_ends) {
  std::vector<std::uint64_t> sizes(runs_.size());
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    sizes[r] = cursors_[r].rest.size();
    for (std::size_t b = cursors_[r].next_block; b < block_ends[r]; ++b) sizes[r] += runs_[r].blocks[b].record_bytes;
  }
  std::vector<std::span<const std::byte>> ranges = fill_arena(block_ends, sizes);
  check_in_place(block_ends);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (!in_place_[r].empty()) ranges[r] = {cursors_[r].rest.data(), static_cast<std::size_t>(sizes[r])};
  }
  return ranges;
}

// Runs that are merged in place need no room in the arena.
std::vector<std::span<const std::byte>> WindowLoader::fill_arena(const std::vector<std::size_t>& block_ends,
                                                                 const std::vector<std::uint64_t>& sizes) {
  std::uint64_t total_bytes = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (in_place_[r].empty()) total_bytes += round_up(sizes[r], kRangeAlignment);
  }
  std::span<std::byte> free = next_arena(total_bytes);
  std::vector<std::span<const std::byte>> filled(runs_.size());
  std::vector<std::span<std::byte>> rests(runs_.size());
  std::vector<BlockRange> unread;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (!in_place_[r].empty()) continue;
    const std::span<std::byte> target = free.first(sizes[r]);
    free = free.subspan(round_up(sizes[r], kRangeAlignment));
    rests[r] = target.first(cursors_[r].rest.size());
    unread.push_back({&runs_[r], cursors_[r].next_block, block_ends[r], target.subspan(rests[r].size())});
    filled[r] = within_slice(r, target, block_ends[r]);
  }
  parallel_for(0, runs_.size(), [&](std::size_t r) {
    if (!rests[r].empty()) std::memcpy(rests[r].data(), cursors_[r].rest.data(), rests[r].size());
  });
  if (is_long_) give_back_arena_before();
  is_long_ = total_bytes > arena_bytes_;
  read_blocks(unread);
  for (std::size_t r = 0; r < runs_.size(); ++r) check_slice(r, filled[r], block_ends[r]);
  return filled;
}

// What of `bytes`, which end with the block in front of `block_end`, belongs to the run.
std::span<const std::byte> WindowLoader::within_slice(std::size_t run, std::span<const std::byte> bytes,
                                                      std::size_t block_end) const {
  const std::size_t next = cursors_[run].next_block;
  if (next == block_end) return bytes;
  const RunSlice& slice = runs_[run].slice;
  const std::size_t begin = next == 0 ? slice.bytes_before : 0;
  const std::size_t end = bytes.size() - (block_end == runs_[run].blocks.size() ? slice.bytes_behind : 0);
  return bytes.subspan(begin, end - begin);
}

// `bytes`: what has been read of the slice, in the arena with the rest of its blocks around it.
void WindowLoader::check_slice(std::size_t run, std::span<const std::byte> bytes, std::size_t block_end) const {
  const std::size_t next = cursors_[run].next_block;
  if (next == block_end) return;
  const RunSlice& slice = runs_[run].slice;
  const bool begins = slice.bytes_before > 0 && next == 0;
  const bool ends = slice.bytes_behind > 0 && block_end == runs_[run].blocks.size();
  const Layout& layout = order_.layout();
  const auto is_end = [&](const std::byte* behind, std::uint64_t block_bytes) {
    return layout.delimited() ? behind[-1] == static_cast<std::byte>(layout.delimiter)
                              : block_bytes % layout.record_bytes == 0;
  };
  const bool is_cut_well = (!begins || is_end(bytes.data(), slice.bytes_before)) &&
                           (!ends || is_end(bytes.data() + bytes.size(), slice.bytes_behind));
  if (is_cut_well) return;
  const RunStorage& storage = *runs_[run].storage;
  throw DamagedFile(storage.path(),
                    "run file " + storage.name() + " cannot be merged: its slice cuts through a record");
}

// Checks the blocks of run files that are merged in place: runs in RAM have no checksums.
void WindowLoader::check_in_place(const std::vector<std::size_t>& block_ends) const {
  struct Task {
    const Run* run;
    std::size_t block;
  };
  std::vector<Task> tasks;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (in_place_[r].empty() || !runs_[r].storage->in_file()) continue;
    for (std::size_t b = cursors_[r].next_block; b < block_ends[r]; ++b) tasks.push_back({&runs_[r], b});
  }
  parallel_for(0, tasks.size(), [&](std::size_t t) {
    const auto span = observer_.span("read run", tasks[t].run->blocks[tasks[t].block].stored_bytes);
    check_block(*tasks[t].run, tasks[t].block);
  });
}

// What the window before left over has been copied from it.
void WindowLoader::give_back_arena_before() {
  Arena& arena = arenas_[(next_arena_ + arenas_.size() - 2) % arenas_.size()];
  arena.pin.reset();
  arena.memory = MemoryRegion();
}

std::span<std::byte> WindowLoader::next_arena(std::uint64_t bytes) {
  Arena& arena = arenas_[next_arena_];
  next_arena_ = (next_arena_ + 1) % arenas_.size();
  if (arena.memory.size() >= bytes) return arena.memory.bytes();
  arena.pin.reset();
  arena.memory = MemoryRegion();
  arena.memory = MemoryRegion(std::max(bytes, arena_bytes_));
  if (pin_) {
    touch_pages_in_parallel(arena.memory.bytes());
    arena.pin = pin_(arena.memory.bytes());
  }
  return arena.memory.bytes();
}

}  // namespace sortie
