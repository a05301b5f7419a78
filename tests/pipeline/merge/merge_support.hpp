// What the tests of the final merge share: small arenas, mergers of the CPU engine, a store that spills all runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/plan/memory_plan.hpp"
#include "pipeline/store_support.hpp"

namespace sortie::test {

inline const RunStore::Options kInFiles{0, 256, Repeats::kKept, true};

inline MemoryPlan plan_with_arena(std::uint64_t arena_bytes) {
  MemoryPlan plan;
  plan.arena_bytes = arena_bytes;
  plan.merge.block_bytes = 256;
  return plan;
}

inline std::vector<std::unique_ptr<WindowMerger>> make_mergers(Engine& engine, std::size_t count) {
  std::vector<std::unique_ptr<WindowMerger>> mergers;
  for (std::size_t i = 0; i < count; ++i) mergers.push_back(engine.make_window_merger({}));
  return mergers;
}

}  // namespace sortie::test
