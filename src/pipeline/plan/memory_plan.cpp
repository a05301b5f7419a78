#include "pipeline/plan/memory_plan.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "base/size.hpp"
#include "run/run.hpp"

namespace sortie {
namespace {

// All threads make, check and write a part together, and wait for each other at its end. Parts of the CPU engine are
// smaller if there are few threads, so that they are still in its caches.
constexpr std::uint64_t kLargestPart = 128 << 20;
constexpr std::uint64_t kLeastHostPart = 16 << 20;
constexpr std::uint64_t kHostPartOfThread = 8 << 20;
/// A part takes 1/kPartShare of the budget at most, and twice as much where that is kLeastHostPart or more and is
/// shared by more than kFewThreads threads, which wait for each other at the end of every part.
constexpr std::uint64_t kPartShare = 32;
constexpr unsigned kFewThreads = 4;
/// Decorating gets 1/kDecorationShare of the budget, at most kMostDecorationBytes: more memory makes it no faster.
constexpr std::uint64_t kDecorationShare = 16;
constexpr std::uint64_t kMostDecorationBytes = 64 << 20;
/// The longest line is 1/kLongestLineShare of the budget: while a long line is decorated, it lies in memory three times
/// beside its place in a run. Lines of up to 16 MiB need only fit a run.
constexpr std::uint64_t kLongestLineShare = 8;
constexpr std::uint64_t kLeastLongestLine = 16 << 20;
/// A tie gets 1/kTieShare of the memory for decorating: while its lines are put in order, their texts and lists of them
/// lie beside them.
constexpr std::uint64_t kTieShare = 4;
/// The longest record is 1/kMostRecordShare of what memory may grow to: while it is formed into a run, it lies in
/// memory up to three times.
constexpr std::uint64_t kMostRecordShare = 3;
/// An arena holds so many of the longest records, so that what reaches beyond a window is not copied again and again.
constexpr std::uint64_t kArenaOfLongRecords = 4;
/// Selection gets 1/kSelectionShare of the rest of the memory: what is selected must still be formed into a run.
constexpr std::uint64_t kSelectionShare = 2;
constexpr std::uint64_t kSmallestBlock = 4 << 10;
constexpr std::uint64_t kLargestBlock = 1 << 20;
constexpr std::uint64_t kFanInOfLargeBlocks = 8;
/// A planned arena holds at least so many of the blocks of every run, unless blocks are of the smallest size.
constexpr std::uint64_t kBlocksOfArena = 8;
/// An arena may grow to this for blocks that have grown: at small budgets the index of small blocks would take more.
constexpr std::uint64_t kArenaOfGrownBlocks = 1 << 20;
/// Indexes may take 1/kIndexShare of the budget before blocks get larger, and in any case kLeastIndexBytes.
constexpr std::uint64_t kIndexShare = 128;
constexpr std::uint64_t kLeastIndexBytes = 1 << 20;
/// Where larger blocks would take another pass over all records, indexes may take 1/kLargeIndexShare of the budget.
constexpr std::uint64_t kLargeIndexShare = 5;
// Assumed for pipes, whose length is unknown.
constexpr std::uint64_t kFanInOfUnknownInput = 64;
// Pinned memory beyond this makes transfers no faster.
constexpr std::uint64_t kLargestRing = std::uint64_t{1} << 30;

// Host memory with which one run of the CPU engine holds the whole input. Records of unknown length are assumed to be
// as long as their entry.
std::uint64_t single_run_bytes(const MemoryPlanInput& input) {
  const std::uint64_t record_bytes = input.record_bytes == 0 ? input.host_record_overhead : input.record_bytes;
  const std::uint64_t records = divide_up(input.input_bytes, std::max<std::uint64_t>(1, record_bytes));
  return input.input_bytes + (records + 2) * input.host_record_overhead;
}

std::uint64_t largest_part(const MemoryPlanInput& input) {
  if (!input.records_on_host) return kLargestPart;
  return std::clamp(input.threads * kHostPartOfThread, kLeastHostPart, kLargestPart);
}

std::uint64_t part_bytes_for(const MemoryPlanInput& input) {
  const std::uint64_t usual = input.budget_bytes / kPartShare;
  const bool is_shared_by_many = input.records_on_host && input.threads > kFewThreads && usual >= kLeastHostPart;
  return std::min(is_shared_by_many ? 2 * usual : usual, largest_part(input));
}

// Memory for selection and runs. The reserve is for parts, encoded blocks in flight, and the reader's unfinished
// record.
std::uint64_t usable_bytes(const MemoryPlanInput& input) {
  const std::uint64_t reserve = std::min<std::uint64_t>(input.budget_bytes / 8, 8 * largest_part(input));
  const std::uint64_t decoration =
      input.decorates ? decoration_budget(input.budget_bytes, input.most_bytes).memory_bytes : 0;
  const std::uint64_t usable = input.budget_bytes - reserve - decoration;
  return usable - std::min(usable, input.held_bytes);
}

bool fits_one_run(const MemoryPlanInput& input, std::uint64_t usable) {
  return input.records_on_host && input.input_bytes != 0 && single_run_bytes(input) + part_bytes_for(input) <= usable;
}

// Mergers on a GPU need half a window's memory for their transfers; those on the host need none.
void plan_phase_two(const MemoryPlanInput& input, std::uint64_t phase_bytes, MemoryPlan& plan) {
  const std::uint64_t windows = 3 * std::uint64_t{input.engine_count} + 1;
  const std::uint64_t merger_halves = input.records_on_host ? 0 : input.engine_count;
  plan.arena_bytes = 2 * phase_bytes / (2 * windows + merger_halves);
  plan.merger_bytes = input.records_on_host ? 0 : plan.arena_bytes / 2;
}

std::uint64_t choose_block_bytes(std::uint64_t arena_bytes, std::uint64_t fan_in) {
  const std::uint64_t wanted = arena_bytes / (kBlocksOfArena * std::max<std::uint64_t>(1, fan_in));
  return std::clamp(std::bit_floor(std::max<std::uint64_t>(1, wanted)), kSmallestBlock, kLargestBlock);
}

// Memory that the index takes for a block.
std::uint64_t entry_bytes_for(const MemoryPlanInput& input) {
  const std::uint64_t whole = input.record_bytes == 0 ? kIndexKeyBytes : input.record_bytes;
  const std::uint64_t key_bytes = input.key_bytes == 0 ? whole : input.key_bytes;
  return index_entry_bytes(std::min<std::uint64_t>(key_bytes, kIndexKeyBytes));
}

// The index of blocks of `block_bytes` that hold `bytes` in all.
std::uint64_t index_bytes_of(const MemoryPlan& plan, std::uint64_t bytes, std::uint64_t block_bytes) {
  return bytes / block_bytes * plan.index_entry_bytes;
}

// Larger blocks make a smaller index, and fewer runs that can be merged at once. Where all runs could be merged in one
// pass but for the usual size of the index, the index gets memory that would keep runs in RAM; where they could not,
// too, so that as many as possible are merged at once.
void plan_index(const MemoryPlanInput& input, std::uint64_t runs, MemoryPlan& plan) {
  if (runs > input.most_fan_in) return;
  const auto index_of = [&](std::uint64_t block_bytes) {
    const std::uint64_t expected = index_bytes_of(plan, input.input_bytes, block_bytes);
    return expected + expected / 8;
  };
  const std::uint64_t most = std::min(input.budget_bytes / kLargeIndexShare, plan.store_bytes);
  std::uint64_t bytes = plan.block_bytes;
  const auto can_double = [&](std::uint64_t least_fan_in) {
    return bytes < kLargestBlock && max_fan_in(plan.arena_bytes, 2 * bytes) >= least_fan_in;
  };
  while (index_of(bytes) > plan.index_bytes && can_double(runs)) bytes *= 2;
  while (index_of(bytes) > most && can_double(kFanInOfLargeBlocks)) bytes *= 2;
  const std::uint64_t wanted = index_of(bytes);
  // With the usual index blocks grow from run to run, and are still small enough for one pass.
  if (wanted <= plan.index_bytes || wanted > most) return;
  plan.block_bytes = bytes;
  // A merged run has its index before those that it is made of are gone.
  plan.index_bytes = wanted + wanted / 4;
  plan.store_bytes -= std::min(plan.store_bytes, plan.index_bytes);
}

// The largest blocks with which kFanInOfLargeBlocks runs can still be merged at once.
std::uint64_t choose_most_block_bytes(const MemoryPlan& plan) {
  const std::uint64_t arena_bytes = std::max(plan.arena_bytes, kArenaOfGrownBlocks);
  std::uint64_t bytes = plan.block_bytes;
  while (bytes < kLargestBlock && max_fan_in(arena_bytes, 2 * bytes) >= kFanInOfLargeBlocks) bytes *= 2;
  return bytes;
}

// The arena that merging runs with these largest blocks takes. It is larger than planned if records are longer than a
// share of it, or blocks have grown beyond what the plan took: kFanInOfLargeBlocks of these can be merged at once.
std::uint64_t grown_arena(std::uint64_t arena_bytes, const std::vector<std::uint64_t>& largest_blocks) {
  const auto longest = std::max_element(largest_blocks.begin(), largest_blocks.end());
  if (longest == largest_blocks.end()) return arena_bytes;
  std::uint64_t wanted = kArenaOfLongRecords * *longest;
  if (*longest > std::max(kSmallestBlock, arena_bytes / kBlocksOfArena)) {
    const std::uint64_t reach = kFanInOfLargeBlocks * reach_bytes(*longest);
    wanted = std::max(wanted, std::min(reach / 3 * 4 + kRangeAlignment, kArenaOfGrownBlocks));
  }
  return std::max(arena_bytes, wanted);
}

}  // namespace

DecorationBudget decoration_budget(std::uint64_t budget_bytes, std::uint64_t most_bytes) {
  const std::uint64_t memory_bytes = std::min(budget_bytes / kDecorationShare, kMostDecorationBytes);
  return {memory_bytes, std::max(std::max(budget_bytes, most_bytes) / kLongestLineShare, kLeastLongestLine),
          memory_bytes / kTieShare};
}

std::uint64_t most_record_bytes(std::uint64_t most_bytes) { return most_bytes / kMostRecordShare; }

bool fits_one_run(const MemoryPlanInput& input) { return fits_one_run(input, usable_bytes(input)); }

MemoryPlan plan_memory(const MemoryPlanInput& input) {
  MemoryPlan plan;
  if (input.decorates) plan.decoration = decoration_budget(input.budget_bytes, input.most_bytes);
  plan.most_record_bytes = most_record_bytes(input.most_bytes);
  std::uint64_t usable = usable_bytes(input);
  if (input.selects) plan.selection_bytes = usable / kSelectionShare;
  usable -= plan.selection_bytes;
  plan.part_bytes = part_bytes_for(input);

  std::uint64_t phase_bytes = usable / 2;
  if (fits_one_run(input, usable)) phase_bytes = usable;
  if (!input.records_on_host) phase_bytes = std::min(usable / 2, 2 * kLargestRing * input.engine_count);

  plan.formation_bytes = phase_bytes / input.engine_count;
  plan.store_bytes = usable - phase_bytes;
  plan_phase_two(input, phase_bytes, plan);
  if (input.records_on_host) {
    // Records of unknown length are assumed to be as long as their entries.
    const std::uint64_t record_bytes =
        std::max<std::uint64_t>(1, input.record_bytes == 0 ? input.host_record_overhead : input.record_bytes);
    const std::uint64_t room = plan.formation_bytes - plan.part_bytes;
    plan.run_bytes = static_cast<std::uint64_t>(static_cast<double>(room) * static_cast<double>(record_bytes) /
                                                static_cast<double>(record_bytes + input.host_record_overhead));
  }
  const std::uint64_t fan_in = input.input_bytes == 0 || plan.run_bytes == 0
                                   ? kFanInOfUnknownInput
                                   : divide_up(input.input_bytes, plan.run_bytes);
  plan.block_bytes = choose_block_bytes(plan.arena_bytes, fan_in);
  plan.index_bytes = std::max(kLeastIndexBytes, input.budget_bytes / kIndexShare);
  plan.index_entry_bytes = entry_bytes_for(input);
  if (input.input_bytes != 0) plan_index(input, fan_in, plan);
  plan.most_block_bytes = choose_most_block_bytes(plan);
  return plan;
}

std::uint64_t grown_block_bytes(const BlockSizes& sizes, std::uint64_t held_bytes) {
  std::uint64_t bytes = sizes.first;
  for (std::uint64_t held = sizes.index_bytes; held < held_bytes && bytes < sizes.most; held += sizes.index_bytes) {
    bytes = std::min(2 * bytes, sizes.most);
  }
  return bytes;
}

std::uint64_t largest_planned_block(const MemoryPlan& plan, std::uint64_t bytes) {
  const BlockSizes sizes{plan.block_bytes, plan.most_block_bytes, plan.index_bytes};
  std::uint64_t held_bytes = 0;
  std::uint64_t block_bytes = plan.block_bytes;
  // Each turn is the bytes whose blocks may have one size.
  while (index_bytes_of(plan, bytes, block_bytes) > plan.index_bytes && block_bytes < plan.most_block_bytes) {
    bytes -= std::min(bytes, plan.index_bytes / plan.index_entry_bytes * block_bytes);
    held_bytes += plan.index_bytes;
    block_bytes = grown_block_bytes(sizes, held_bytes + 1);
  }
  return block_bytes;
}

std::uint64_t planned_fan_in(const MemoryPlan& plan, std::uint64_t bytes) {
  const std::uint64_t block_bytes = largest_planned_block(plan, bytes);
  return max_fan_in(grown_arena(plan.arena_bytes, {block_bytes}), block_bytes);
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
