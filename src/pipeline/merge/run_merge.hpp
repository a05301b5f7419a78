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

/// The first step of merge_runs(): ranks blocks whose first keys are cut off in the index and equal as far as they go,
/// so that long keys cost no more memory than short ones. Appends a rank of eight bytes to cut first keys that tie with
/// each other, so that compare_first_keys() decides between blocks of these runs (and of no others). Reads each of
/// these blocks once; holds a few first records of every run at a time. Parallel.
void resolve_truncated_keys(const RecordOrder& order, std::span<Run> runs);

/// Merges all runs; `consumer` is called on a thread of its own. One merger per engine: windows go to them in turn.
/// With `pin`, the memory that windows are read into is pinned. Consumes the runs' storage. Returns the number of
/// windows. Rethrows the first exception of any thread.
std::uint64_t merge_runs(std::span<Run> runs, const RecordOrder& order,
                         std::span<const std::unique_ptr<WindowMerger>> mergers, const MemoryPlan& plan,
                         Observer& observer, const MergedConsumer& consumer, const MemoryPinner& pin = {});

}  // namespace sortie
