// Divides the host memory budget between the phases. Pure: numbers in, numbers out.
//
//   phase one   | encoding | selection | formation (engine, one per device) | store: runs in RAM | reserve |
//   phase two   |                      | windows in | windows out | mergers | store: runs in RAM | reserve |
//
// A mapped input gets its memory before all others, in both phases, and so do packed inputs that are unpacked before
// their turn, and what packs the output. Phase two takes over the memory of phase one, so a
// sort that starts can finish. With n engines, phase two has n + 1 windows on their way in, 2n on their way out, and n
// mergers with memory of their own. Runs in RAM are merged where they are, and a GPU keeps merged windows in its own
// memory: then most of that memory stays untouched.
//
// The index of all blocks has a fixed amount beside the budget. Where that saves a pass, or lets one pass merge more
// runs, the store gives memory to a larger index and to the phases: longer runs, and larger windows.
//
// A record longer than its share of the budget gets memory beyond the budget, a small multiple of its length, as far as
// memory may grow at all. The plan does not include that memory.
#pragma once

#include <cstdint>

#include "pipeline/plan/merge_shape.hpp"

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
  bool encodes = false;                           ///< lines are encoded on their way in
  bool selects = false;                           ///< only the first records of the output are wanted
  bool overlaps_runs = false;                     ///< the former reads a run while it drains another, given the memory
  std::uint64_t held_bytes = 0;                   ///< memory of input and output beside the records that are sorted
  /// Limit to which memory may grow for long records. Below the budget: memory does not grow.
  std::uint64_t most_bytes = 0;
  bool guesses_input = false;  ///< there may be far more than input_bytes
};

/// The memory of a KeyedReader, in bytes.
struct EncodingBudget {
  std::uint64_t memory_bytes = 0;        ///< lines as read, and encoded lines until they are taken
  std::uint64_t longest_line_bytes = 0;  ///< as it is read; encoded it may take more memory
  std::uint64_t tie_bytes = 0;           ///< lines of one tie; their texts take more memory

  /// The share of memory_bytes for lines as read. Encoded lines get the rest.
  constexpr std::uint64_t read_bytes() const { return memory_bytes / 4; }
};

struct MemoryPlan {
  std::uint64_t budget_bytes = 0;       ///< all of it
  std::uint64_t formation_bytes = 0;    ///< run formation, for each engine
  unsigned runs_at_once = 1;            ///< runs that share formation_bytes: one is read while another is stored
  std::uint64_t part_bytes = 0;         ///< one part of a sorted run
  std::uint64_t store_bytes = 0;        ///< for runs kept in RAM
  std::uint64_t arena_bytes = 0;        ///< one window, with the blocks that reach beyond it
  std::uint64_t merger_bytes = 0;       ///< for each merger, beside its windows
  MergeShape merge;                     ///< blocks of runs, and how many runs are merged at once
  std::uint64_t most_block_bytes = 0;   ///< limit on the blocks of later runs, when there are more than was expected
  std::uint64_t most_record_bytes = 0;  ///< longest record for which memory grows beyond the budget
  std::uint64_t index_bytes = 0;        ///< for the index of all blocks
  std::uint64_t index_step_bytes = 0;   ///< growth of that index before later blocks double
  std::uint64_t run_bytes = 0;          ///< expected bytes of records in a run; 0 if the engine decides
  EncodingBudget encoding;              ///< zeros if lines are not encoded
  std::uint64_t selection_bytes = 0;    ///< for records that may be among the first; 0 if all are wanted
};

MemoryPlan plan_memory(const MemoryPlanInput& input);

/// Whether host memory holds the whole input in one run, as far as is known.
bool fits_one_run(const MemoryPlanInput& input);

/// The part of a budget for encoding lines. `most_bytes`: limit to which memory may grow for a long line.
EncodingBudget encoding_budget(std::uint64_t budget_bytes, std::uint64_t most_bytes);

/// The longest record for which memory grows beyond the budget, if it may grow to `most_bytes`.
std::uint64_t most_record_bytes(std::uint64_t most_bytes);

}  // namespace sortie
