// Phase two: merges runs window by window. Reading a window, merging the one before and passing on the one before that
// overlap (window_pipeline.hpp). Used by JobAttempt.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/memory_region.hpp"
#include "engine/engine.hpp"
#include "observe/observer.hpp"
#include "pipeline/merge/window_pipeline.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "record/record_order.hpp"
#include "run/run.hpp"

namespace sortie {

/// Merges all runs; `consumer` is called on a thread of its own. One merger per engine: windows go to them in turn.
/// With `pin`, the memory that windows are read into is pinned. Consumes the runs' storage. Returns the number of
/// windows. Rethrows the first exception of any thread.
std::uint64_t merge_runs(std::span<Run> runs, const RecordOrder& order,
                         std::span<const std::unique_ptr<WindowMerger>> mergers, const MemoryPlan& plan,
                         Observer& observer, const MergedConsumer& consumer, const MemoryPinner& pin = {});

}  // namespace sortie
