// Divides the host memory budget between the phases. Pure: numbers in, numbers out.
//
//   phase one   | decoration | selection | formation (engine, one per device) | store: runs in RAM | reserve |
//   phase two   |                        | windows in | windows out | mergers | store: runs in RAM | reserve |
//
// A mapped input gets its memory before all others, in both phases, and so do packed inputs that are unpacked before
// their turn, and what packs the output. Phase two takes over the memory of phase one, so a
// sort that starts can finish. With n engines, phase two has n + 1 windows on their way in, 2n on their way out, and n
// mergers with memory of their own. Runs in RAM are merged where they are, and a GPU keeps merged windows in its own
// memory: then most of that memory stays untouched.
//
// The index of all blocks is part of the reserve. Where a larger one saves a pass, it takes memory of the store.
//
// A record longer than its share of the budget gets memory beyond the budget, a small multiple of its length, as far as
// memory may grow at all. The plan does not include that memory.
#pragma once

#include <cstdint>
#include <vector>

namespace sortie {

struct MemoryPlanInput {
  std::uint64_t budget_bytes = 0;
  std::uint64_t input_bytes = 0;           ///< all records in the form that is sorted; 0 if unknown
  std::uint64_t record_bytes = 0;          ///< length of a record, the average for lines; 0 if unknown
  std::uint64_t host_record_overhead = 0;  ///< bytes beside each record in the former's host memory
  bool records_on_host = true;             ///< chunks lie in host memory (CPU engine)
  unsigned engine_count = 1;
  unsigned threads = 1;                           ///< that share the work on a part
  std::uint64_t key_bytes = 0;                    ///< length of a key; 0 if it is the whole record, or a line's
  std::uint64_t most_fan_in = ~std::uint64_t{0};  ///< runs that may be merged at once, whatever memory allows
  bool decorates = false;                         ///< lines are decorated on their way in
  bool selects = false;                           ///< only the first records of the output are wanted
  std::uint64_t held_bytes = 0;                   ///< memory of input and output beside the records that are sorted
  /// Limit to which memory may grow for long records. Below the budget: memory does not grow.
  std::uint64_t most_bytes = 0;
};

/// The memory of a DecoratingReader, in bytes.
struct DecorationBudget {
  std::uint64_t memory_bytes = 0;        ///< lines as read, and decorated lines until they are taken
  std::uint64_t longest_line_bytes = 0;  ///< length before decoration; such a line may take more memory
  std::uint64_t tie_bytes = 0;           ///< lines of one tie; their texts take more memory

  /// The share of memory_bytes for lines as read. Decorated lines get the rest.
  constexpr std::uint64_t read_bytes() const { return memory_bytes / 4; }
};

struct MemoryPlan {
  std::uint64_t formation_bytes = 0;    ///< run formation, for each engine
  std::uint64_t part_bytes = 0;         ///< one part of a sorted run
  std::uint64_t store_bytes = 0;        ///< for runs kept in RAM
  std::uint64_t arena_bytes = 0;        ///< one window, with the blocks that reach beyond it
  std::uint64_t merger_bytes = 0;       ///< for each merger, beside its windows
  std::uint64_t block_bytes = 0;        ///< records in a block of a run
  std::uint64_t most_block_bytes = 0;   ///< limit on block_bytes of later runs, when there are many blocks
  std::uint64_t most_record_bytes = 0;  ///< longest record for which memory grows beyond the budget
  std::uint64_t index_bytes = 0;        ///< growth of the index of all blocks before later blocks double
  std::uint64_t index_entry_bytes = 0;  ///< expected for each block in that index
  std::uint64_t run_bytes = 0;          ///< expected bytes of records in a run; 0 if the engine decides
  DecorationBudget decoration;          ///< zeros if lines are not decorated
  std::uint64_t selection_bytes = 0;    ///< for records that may be among the first; 0 if all are wanted
};

MemoryPlan plan_memory(const MemoryPlanInput& input);

/// Whether host memory holds the whole input in one run, as far as is known.
bool fits_one_run(const MemoryPlanInput& input);

/// The part of a budget for decorating lines. `most_bytes`: limit to which memory may grow for a long line.
DecorationBudget decoration_budget(std::uint64_t budget_bytes, std::uint64_t most_bytes);

/// The longest record for which memory grows beyond the budget, if it may grow to `most_bytes`.
std::uint64_t most_record_bytes(std::uint64_t most_bytes);

/// How blocks grow from run to run.
struct BlockSizes {
  std::uint64_t first = 0;
  std::uint64_t most = 0;         ///< not above `first`: they do not grow
  std::uint64_t index_bytes = 0;  ///< growth of the index before blocks double
};

/// The size of the next run's blocks while the index of all blocks takes `held_bytes`. The index stays in memory: the
/// more blocks there are, the larger are the next ones.
std::uint64_t grown_block_bytes(const BlockSizes& sizes, std::uint64_t held_bytes);

/// The largest blocks of runs that hold `bytes` in all.
std::uint64_t largest_planned_block(const MemoryPlan& plan, std::uint64_t bytes);

/// How many of these runs one pass can merge, or a few less: all are taken to have the largest blocks.
std::uint64_t planned_fan_in(const MemoryPlan& plan, std::uint64_t bytes);

/// Every run's range of a window begins at a multiple of this in its arena, so that copies and vector loads
/// are aligned.
inline constexpr std::uint64_t kRangeAlignment = 64;

/// Bytes of an arena that a run may take beside the window proper: a block begun before the window, one reaching beyond
/// it, and a gap.
constexpr std::uint64_t reach_bytes(std::uint64_t block_bytes) { return 2 * block_bytes + kRangeAlignment; }

/// How many runs with blocks of `block_bytes` one pass can merge: a quarter of the arena must be left for
/// the window itself. At least 2.
std::uint64_t max_fan_in(std::uint64_t arena_bytes, std::uint64_t block_bytes);

/// The same for existing runs with the given largest blocks: long records make large blocks. Any selection of so many
/// runs can be merged at once. For long records the arena grows.
std::uint64_t max_fan_in(std::uint64_t arena_bytes, std::vector<std::uint64_t> largest_blocks);

/// The part of an arena left for the window proper when runs with these largest blocks are merged.
std::uint64_t window_bytes(std::uint64_t arena_bytes, const std::vector<std::uint64_t>& largest_blocks);

}  // namespace sortie
