#include "pipeline/plan/memory_plan.hpp"

#include <algorithm>

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
/// Encoding gets 1/kEncodingShare of the budget, at most kMostEncodingBytes: more memory makes it no faster.
constexpr std::uint64_t kEncodingShare = 16;
constexpr std::uint64_t kMostEncodingBytes = 64 << 20;
/// The longest line is 1/kLongestLineShare of the budget: while a long line is encoded, it lies in memory three times
/// beside its position in a run. Lines of up to 16 MiB need only fit a run.
constexpr std::uint64_t kLongestLineShare = 8;
constexpr std::uint64_t kLeastLongestLine = 16 << 20;
/// A tie gets 1/kTieShare of the memory for encoding: while its lines are put in order, their texts and lists of them
/// lie beside them.
constexpr std::uint64_t kTieShare = 4;
/// The longest record is 1/kMostRecordShare of what memory may grow to: while it is formed into a run, it lies in
/// memory up to three times.
constexpr std::uint64_t kMostRecordShare = 3;
/// Selection gets 1/kSelectionShare of the rest of the memory: what is selected must still be formed into a run.
constexpr std::uint64_t kSelectionShare = 2;
/// An arena is so large however small the budget: with less, a merge takes few runs at once, and most of its time goes
/// to handing small windows from thread to thread.
constexpr std::uint64_t kLeastArenaBytes = 1 << 20;
/// The index of all blocks may take 1/kFreeIndexShare of the budget beside the budget, and in any case
/// kLeastFreeIndexBytes: a quarter of the memory that a sort may take beside its data.
constexpr std::uint64_t kFreeIndexShare = 128;
constexpr std::uint64_t kLeastFreeIndexBytes = 16 << 20;
/// The half of the memory that is for the store goes to the phases and the index in so many shares.
constexpr std::uint64_t kShares = 16;
/// Shorter runs are not worth it to read one while another is stored.
constexpr std::uint64_t kLeastOverlappedRun = 8 << 20;
/// There may be a few more runs than is expected: one in so many.
constexpr std::uint64_t kSurplusRuns = 32;
// Assumed for pipes, whose length is unknown.
constexpr std::uint64_t kFanInOfUnknownInput = 64;
/// Their blocks begin small, and so often they double before the index takes its memory.
constexpr std::uint64_t kDoublingsOfUnknownInput = 4;
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
  const std::uint64_t encoding = input.encodes ? encoding_budget(input.budget_bytes, input.most_bytes).memory_bytes : 0;
  const std::uint64_t usable = input.budget_bytes - reserve - encoding;
  return usable - std::min(usable, input.held_bytes);
}

bool fits_one_run(const MemoryPlanInput& input, std::uint64_t usable) {
  return input.records_on_host && input.input_bytes != 0 && single_run_bytes(input) + part_bytes_for(input) <= usable;
}

// Bytes of records in a run that is formed in host memory. Records of unknown length are assumed to be as long as their
// entries.
std::uint64_t run_bytes_for(const MemoryPlanInput& input, std::uint64_t formation_bytes, std::uint64_t part_bytes) {
  const std::uint64_t record_bytes =
      std::max<std::uint64_t>(1, input.record_bytes == 0 ? input.host_record_overhead : input.record_bytes);
  return static_cast<std::uint64_t>(static_cast<double>(formation_bytes - part_bytes) *
                                    static_cast<double>(record_bytes) /
                                    static_cast<double>(record_bytes + input.host_record_overhead));
}

// Memory that the index takes for a block.
std::uint64_t entry_bytes_for(const MemoryPlanInput& input) {
  const std::uint64_t whole = input.record_bytes == 0 ? kIndexKeyBytes : input.record_bytes;
  const std::uint64_t key_bytes = input.key_bytes == 0 ? whole : input.key_bytes;
  return index_entry_bytes(key_bytes > kIndexKeyBytes ? kIndexKeyBytes + kRankBytes : key_bytes);
}

MergeWorkload workload_of(const MemoryPlanInput& input, std::uint64_t run_bytes) {
  MergeWorkload workload{input.input_bytes, kFanInOfUnknownInput, input.record_bytes, entry_bytes_for(input),
                         input.most_fan_in};
  if (input.input_bytes == 0 || run_bytes == 0) return workload;
  workload.runs = divide_up(input.input_bytes, run_bytes);
  if (workload.runs > 1) workload.runs += divide_up(workload.runs, kSurplusRuns);
  return workload;
}

// How much of the memory for runs goes to the phases and to the index. The store gets the rest.
struct Division {
  std::uint64_t phase_bytes = 0;
  std::uint64_t index_bytes = 0;  // beyond the fixed amount
  unsigned runs_at_once = 1;
};

// The plan that follows from a division. Mergers on a GPU need half a window's memory for their transfers; those on the
// host need none.
MemoryPlan plan_division(const MemoryPlanInput& input, std::uint64_t usable, const Division& division,
                         MemoryPlan plan) {
  plan.formation_bytes = division.phase_bytes / input.engine_count;
  plan.runs_at_once = division.runs_at_once;
  plan.store_bytes = usable - division.phase_bytes - division.index_bytes;
  const std::uint64_t windows = 3 * std::uint64_t{input.engine_count} + 1;
  const std::uint64_t merger_halves = input.records_on_host ? 0 : input.engine_count;
  plan.arena_bytes = std::max(2 * division.phase_bytes / (2 * windows + merger_halves), kLeastArenaBytes);
  plan.merger_bytes = input.records_on_host ? 0 : plan.arena_bytes / 2;
  plan.run_bytes = input.records_on_host ? run_bytes_for(input, plan.formation_bytes, plan.part_bytes) : 0;
  plan.run_bytes /= plan.runs_at_once;
  plan.index_bytes = std::max(kLeastFreeIndexBytes, input.budget_bytes / kFreeIndexShare) + division.index_bytes;
  plan.merge = shape_merge(workload_of(input, plan.run_bytes), plan.arena_bytes, plan.index_bytes);
  plan.most_block_bytes = std::max(plan.merge.block_bytes, most_block_bytes(plan.arena_bytes));
  plan.index_step_bytes =
      plan.index_bytes / (input.input_bytes == 0 || input.guesses_input ? kDoublingsOfUnknownInput : 1);
  return plan;
}

// Fewer passes are better. If there are several, less is merged before the last one if more runs are merged at once.
// Then longer runs are better: there are fewer.
bool is_better(const MemoryPlan& a, const MemoryPlan& b) {
  if (a.merge.passes != b.merge.passes) return a.merge.passes < b.merge.passes;
  if (a.merge.passes > 1 && a.merge.fan_in != b.merge.fan_in) return a.merge.fan_in > b.merge.fan_in;
  return a.run_bytes > b.run_bytes;
}

// The phases get half of the memory and the store the other half, so long as one pass merges all runs then. If one pass
// could merge twice as many, runs are half as long, and one is read while the one before is stored: otherwise reading
// waits for storing, most of which one thread does (1.33 of 2 processors were in use, 0.8 GB of lines in 160 MB). If
// one pass cannot merge all runs, the store gives shares to the index and to phases on the host: as few as save a pass,
// and if there are several passes nevertheless all, so that as many runs as possible are merged at once. A store that
// cannot hold a run is of no use.
MemoryPlan plan_runs(const MemoryPlanInput& input, std::uint64_t usable, const MemoryPlan& begun) {
  const std::uint64_t half = usable / 2;
  const std::uint64_t least_phase =
      input.records_on_host ? half : std::min(half, 2 * kLargestRing * input.engine_count);
  MemoryPlan best = plan_division(input, usable, {least_phase, 0}, begun);
  if (input.input_bytes == 0) return best;
  if (input.overlaps_runs && best.merge.passes == 1) {
    const MemoryPlan overlapped = plan_division(input, usable, {least_phase, 0, 2}, begun);
    if (overlapped.merge.passes == 1 && overlapped.run_bytes >= kLeastOverlappedRun) return overlapped;
  }
  for (std::uint64_t taken = 1; taken <= kShares && best.merge.passes > 1; ++taken) {
    for (std::uint64_t index = input.records_on_host ? 0 : taken; index <= taken; ++index) {
      const Division division{least_phase + half / kShares * (taken - index), half / kShares * index};
      const MemoryPlan plan = plan_division(input, usable, division, begun);
      const bool is_in_use = taken == kShares || plan.store_bytes >= plan.run_bytes;
      if (is_in_use && is_better(plan, best)) best = plan;
    }
  }
  return best;
}

}  // namespace

EncodingBudget encoding_budget(std::uint64_t budget_bytes, std::uint64_t most_bytes) {
  const std::uint64_t memory_bytes = std::min(budget_bytes / kEncodingShare, kMostEncodingBytes);
  return {memory_bytes, std::max(std::max(budget_bytes, most_bytes) / kLongestLineShare, kLeastLongestLine),
          memory_bytes / kTieShare};
}

std::uint64_t most_record_bytes(std::uint64_t most_bytes) { return most_bytes / kMostRecordShare; }

bool fits_one_run(const MemoryPlanInput& input) { return fits_one_run(input, usable_bytes(input)); }

MemoryPlan plan_memory(const MemoryPlanInput& input) {
  MemoryPlan plan;
  plan.budget_bytes = input.budget_bytes;
  if (input.encodes) plan.encoding = encoding_budget(input.budget_bytes, input.most_bytes);
  plan.most_record_bytes = most_record_bytes(input.most_bytes);
  std::uint64_t usable = usable_bytes(input);
  if (input.selects) plan.selection_bytes = usable / kSelectionShare;
  usable -= plan.selection_bytes;
  plan.part_bytes = part_bytes_for(input);

  if (fits_one_run(input, usable)) return plan_division(input, usable, {usable, 0}, plan);
  return plan_runs(input, usable, plan);
}

}  // namespace sortie
