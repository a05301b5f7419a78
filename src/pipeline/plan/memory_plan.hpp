// Divides the host memory budget between the phases. Pure: numbers in, numbers out.
//
//   phase one   | decoration | selection | formation (engine, one per device) | store: runs in RAM | reserve |
//   phase two   |                        | windows in | windows out | mergers | store: runs in RAM | reserve |
//
// A mapped input takes its part before all others, in both phases. Phase two takes over the memory of phase one, so a
// sort that starts can finish. With n engines it has n + 1 windows on their way in, 2n on their way out, and n mergers
// with memory of their own. Runs in RAM are merged where they are, and a GPU keeps merged windows in its own memory:
// then most of that stays untouched.
//
// A record that is longer than its share of the budget gets memory beyond it, a small multiple of its length, as far as
// memory may grow at all: nothing is planned for it.
#pragma once

#include <cstdint>
#include <vector>

namespace sortie {

struct MemoryPlanInput {
  std::uint64_t budget_bytes = 0;
  std::uint64_t input_bytes = 0;           ///< of records while they are sorted; 0 if unknown
  std::uint64_t record_bytes = 0;          ///< of lines on average; 0 if unknown
  std::uint64_t host_record_overhead = 0;  ///< bytes beside each record in the former's host memory
  bool records_on_host = true;             ///< chunks lie in host memory (CPU engine)
  unsigned engine_count = 1;
  bool decorates = false;          ///< lines are decorated on their way in
  bool selects = false;            ///< only the first records of the output are wanted
  std::uint64_t mapped_bytes = 0;  ///< of an input that lies in memory while its records are sorted
  std::uint64_t most_bytes = 0;    ///< to which memory may grow for long records; less than the budget: not at all
};

/// The memory of a DecoratingReader, in bytes.
struct DecorationBudget {
  std::uint64_t memory_bytes = 0;        ///< for lines before they are decorated, and until they are taken
  std::uint64_t longest_line_bytes = 0;  ///< before it is decorated; it may take more memory
  std::uint64_t tie_bytes = 0;           ///< when all lines are decorated: of lines of one tie, which take more beside
};

struct MemoryPlan {
  std::uint64_t formation_bytes = 0;    ///< for each engine
  std::uint64_t part_bytes = 0;         ///< of one part of a sorted run
  std::uint64_t store_bytes = 0;        ///< for runs kept in RAM
  std::uint64_t arena_bytes = 0;        ///< one window, with the blocks that reach beyond it
  std::uint64_t merger_bytes = 0;       ///< for each merger, beside its windows
  std::uint64_t block_bytes = 0;        ///< of records in a block of a run
  std::uint64_t most_block_bytes = 0;   ///< the same of later runs, where the blocks of all runs have become many
  std::uint64_t most_record_bytes = 0;  ///< of a record for which memory grows beyond the budget
  std::uint64_t index_bytes = 0;        ///< by which the index of all blocks grows before later blocks are doubled
  std::uint64_t run_bytes = 0;          ///< expected bytes of records in a run; 0 if the engine decides
  DecorationBudget decoration;          ///< nothing where lines are not decorated
  std::uint64_t selection_bytes = 0;    ///< for records that may be among the first; 0 where all are wanted
};

MemoryPlan plan_memory(const MemoryPlanInput& input);

/// Whether host memory holds the whole input in one run, as far as is known.
bool fits_one_run(const MemoryPlanInput& input);

/// What decorating lines gets of a budget, where lines are decorated.
/// `most_bytes`: to which memory may grow for a long line.
DecorationBudget decoration_budget(std::uint64_t budget_bytes, std::uint64_t most_bytes);

/// The longest record for which memory grows beyond the budget, if it may grow to `most_bytes`.
std::uint64_t most_record_bytes(std::uint64_t most_bytes);

/// Every run's range of a window begins at a multiple of this in its arena, so that copies and vector loads
/// are aligned.
inline constexpr std::uint64_t kRangeAlignment = 64;

/// Bytes of an arena that a run may take beside the window proper: a block begun before the window, one
/// reaching out of it, and a gap.
constexpr std::uint64_t reach_bytes(std::uint64_t block_bytes) { return 2 * block_bytes + kRangeAlignment; }

/// How many runs with blocks of `block_bytes` one pass can merge: a quarter of the arena must be left for
/// the window itself. At least 2.
std::uint64_t max_fan_in(std::uint64_t arena_bytes, std::uint64_t block_bytes);

/// The same for runs at hand, whose largest blocks are given: long records make large blocks. As many runs
/// as can be merged whichever of them they are. For long records the arena grows.
std::uint64_t max_fan_in(std::uint64_t arena_bytes, std::vector<std::uint64_t> largest_blocks);

/// What is left of an arena for the window proper when runs with these largest blocks are merged.
std::uint64_t window_bytes(std::uint64_t arena_bytes, const std::vector<std::uint64_t>& largest_blocks);

}  // namespace sortie
