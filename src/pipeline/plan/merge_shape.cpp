#include "pipeline/plan/merge_shape.hpp"

#include <algorithm>
#include <functional>

#include "base/size.hpp"

namespace sortie {
namespace {

/// An arena holds so many of the longest records, so that what reaches beyond a window is not copied again and again.
constexpr std::uint64_t kArenaOfLongRecords = 4;
/// Where the index has room, an arena holds so many blocks of every run: a window takes most of the arena then.
constexpr std::uint64_t kBlocksOfArena = 8;
/// Sizes of blocks are multiples of this, the sector of a disk.
constexpr std::uint64_t kBlockStep = 512;
/// So many runs of the largest blocks can be merged at once, even if their index gets larger than its memory.
constexpr std::uint64_t kFanInOfLargestBlocks = 8;

/// Keys may be longer than those of the sample.
constexpr double kIndexMargin = 1.25;
/// A merged run has its index before those that it is made of are gone. A merge that is not the last takes half of all
/// runs at most.
constexpr double kIndexOfSeveralPasses = 1.5;

// The index at its largest.
double largest_index_bytes(const MergeWorkload& workload, double blocks, bool in_one_pass) {
  const double of_runs = blocks * static_cast<double>(workload.index_entry_bytes) * kIndexMargin;
  return in_one_pass ? of_runs : of_runs * kIndexOfSeveralPasses;
}

// The smallest blocks whose index fits. Blocks of one record each cannot be smaller.
std::uint64_t least_block_bytes(const MergeWorkload& workload, std::uint64_t index_bytes, bool in_one_pass) {
  const double blocks = static_cast<double>(index_bytes) / std::max(1.0, largest_index_bytes(workload, 1, in_one_pass));
  const double bytes = static_cast<double>(workload.bytes) / std::max(1.0, blocks);
  if (bytes <= static_cast<double>(std::max(kSmallestBlock, workload.record_bytes))) return kSmallestBlock;
  if (bytes >= static_cast<double>(kLargestBlock)) return kLargestBlock;
  return round_up(static_cast<std::uint64_t>(bytes) + 1, kBlockStep);
}

MergeShape shape_for_passes(const MergeWorkload& workload, std::uint64_t arena_bytes, std::uint64_t index_bytes,
                            bool in_one_pass) {
  const std::uint64_t most_at_once = std::max<std::uint64_t>(1, std::min(workload.runs, workload.most_fan_in));
  const std::uint64_t wanted = round_down(arena_bytes / kBlocksOfArena / most_at_once, kBlockStep);
  MergeShape shape;
  shape.block_bytes = std::clamp(std::max(wanted, least_block_bytes(workload, index_bytes, in_one_pass)),
                                 kSmallestBlock, most_block_bytes(arena_bytes));
  shape.fan_in = std::max<std::uint64_t>(
      2, std::min(max_fan_in(arena_bytes, std::max(shape.block_bytes, workload.record_bytes)), workload.most_fan_in));
  shape.passes = merge_passes(workload.runs, shape.fan_in);
  const std::uint64_t blocks = workload.bytes / std::max(shape.block_bytes, workload.record_bytes);
  shape.index_bytes =
      static_cast<std::uint64_t>(largest_index_bytes(workload, static_cast<double>(blocks), shape.passes == 1));
  return shape;
}

// The arena that merging runs with these largest blocks takes. It is larger than planned if records are longer than a
// share of it.
std::uint64_t grown_arena(std::uint64_t arena_bytes, const std::vector<std::uint64_t>& largest_blocks) {
  const auto longest = std::max_element(largest_blocks.begin(), largest_blocks.end());
  return longest == largest_blocks.end() ? arena_bytes : std::max(arena_bytes, kArenaOfLongRecords * *longest);
}

}  // namespace

MergeShape shape_merge(const MergeWorkload& workload, std::uint64_t arena_bytes, std::uint64_t index_bytes) {
  const MergeShape one_pass = shape_for_passes(workload, arena_bytes, index_bytes, true);
  return one_pass.passes == 1 ? one_pass : shape_for_passes(workload, arena_bytes, index_bytes, false);
}

std::uint64_t merge_passes(std::uint64_t runs, std::uint64_t fan_in) {
  std::uint64_t passes = 1;
  for (; runs > fan_in; runs = divide_up(runs, fan_in)) ++passes;
  return passes;
}

std::uint64_t most_block_bytes(std::uint64_t arena_bytes) {
  const std::uint64_t reach = arena_bytes / 4 * 3 / kFanInOfLargestBlocks;
  const std::uint64_t bytes = (reach - std::min(reach, kRangeAlignment)) / 2;
  return std::clamp(round_down(bytes, kBlockStep), kSmallestBlock, kLargestBlock);
}

std::uint64_t grown_block_bytes(const BlockSizes& sizes, std::uint64_t held_bytes) {
  std::uint64_t bytes = sizes.first;
  for (std::uint64_t held = sizes.step_bytes; held < held_bytes && bytes < sizes.most; held += sizes.step_bytes) {
    bytes = std::min(2 * bytes, sizes.most);
  }
  return bytes;
}

std::uint64_t max_fan_in(std::uint64_t arena_bytes, std::uint64_t block_bytes) {
  return std::max<std::uint64_t>(2, arena_bytes / 4 * 3 / reach_bytes(block_bytes));
}

std::uint64_t max_fan_in(std::uint64_t arena_bytes, std::vector<std::uint64_t> largest_blocks) {
  arena_bytes = grown_arena(arena_bytes, largest_blocks);
  std::sort(largest_blocks.begin(), largest_blocks.end(), std::greater<>());
  std::uint64_t fan_in = 0;
  std::uint64_t reach = 0;
  for (const std::uint64_t block_bytes : largest_blocks) {
    reach += reach_bytes(block_bytes);
    if (reach > arena_bytes / 4 * 3) break;
    ++fan_in;
  }
  return std::max<std::uint64_t>(2, fan_in);
}

std::uint64_t window_bytes(std::uint64_t arena_bytes, const std::vector<std::uint64_t>& largest_blocks) {
  arena_bytes = grown_arena(arena_bytes, largest_blocks);
  std::uint64_t reach = 0;
  for (const std::uint64_t block_bytes : largest_blocks) reach += reach_bytes(block_bytes);
  return std::max(arena_bytes / 4, arena_bytes - std::min(arena_bytes, reach));
}

}  // namespace sortie
