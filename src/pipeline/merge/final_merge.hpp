// Phase two: merges runs window by window. Reading a window, merging the one before and passing on the
// one before that overlap.
//
//   loader       | load 0 | load 1 | load 2  | ...
//   lane 0                | merge 0|         | merge 2 | ...      one for each engine, two windows of it at a time
//   lane 1                         | merge 1 |         | ...
//   writer                         | pass on 0         | pass on 1 | ...
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/memory_pin.hpp"
#include "engine/engine.hpp"
#include "observe/observer.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "record/record_order.hpp"
#include "run/run.hpp"

namespace sortie {

/// Takes merged records in order.
using MergedConsumer = std::function<void(std::span<std::byte> records)>;

class RunMerge {
 public:
  /// One merger per engine: windows go to them in turn. With `pin`, the memory that windows are read into is pinned.
  /// All references must outlive this.
  RunMerge(const RecordOrder& order, std::span<const std::unique_ptr<WindowMerger>> mergers, const MemoryPlan& plan,
           Observer& observer, MemoryPinner pin = {});

  /// Merges all runs; `consumer` is called on a thread of its own. Consumes the runs' storage. Returns
  /// the number of windows. Rethrows the first exception of any thread.
  std::uint64_t merge(std::span<Run> runs, const MergedConsumer& consumer);

 private:
  std::uint64_t window_bytes_for(std::span<const Run> runs) const;

  const RecordOrder& order_;
  std::span<const std::unique_ptr<WindowMerger>> mergers_;
  const MemoryPlan& plan_;
  Observer& observer_;
  MemoryPinner pin_;
};

}  // namespace sortie
