// Divides the host memory budget between the phases. Pure: numbers in, numbers out.
//
//   phase one   | formation (engine, one per device)          | store: runs in RAM | reserve |
//   phase two   | 2 windows in: A + A | 2 windows out: A + A  | store: runs in RAM | reserve |
//
// Phase two takes over the memory of phase one, so a sort that starts can finish.
#pragma once

#include <cstdint>

namespace sortie {

struct MemoryPlanInput {
  std::uint64_t budget_bytes = 0;
  std::uint64_t input_bytes = 0;         ///< 0 if unknown
  std::uint64_t record_bytes = 0;        ///< 0 for lines
  std::uint64_t host_record_overhead = 0;  ///< bytes beside each record in the former's host memory
  bool records_on_host = true;           ///< chunks lie in host memory (CPU engine)
  unsigned engine_count = 1;
};

struct MemoryPlan {
  std::uint64_t formation_bytes = 0;  ///< for each engine
  std::uint64_t part_bytes = 0;       ///< of one part of a sorted run
  std::uint64_t store_bytes = 0;      ///< for runs kept in RAM
  std::uint64_t arena_bytes = 0;      ///< A above: one window, with the blocks that reach beyond it
  std::uint64_t block_bytes = 0;      ///< of records in a block of a run
  std::uint64_t run_bytes = 0;        ///< expected bytes of records in a run; 0 if the engine decides
};

MemoryPlan plan_memory(const MemoryPlanInput& input);

/// How many runs one pass can merge: each may have a block begun before a window and one reaching out of
/// it, and a quarter of the arena must be left for the window itself. At least 2.
std::uint64_t max_fan_in(std::uint64_t arena_bytes, std::uint64_t block_bytes);

/// What is left of an arena for the window proper.
std::uint64_t window_bytes(std::uint64_t arena_bytes, std::uint64_t block_bytes, std::uint64_t fan_in);

}  // namespace sortie
