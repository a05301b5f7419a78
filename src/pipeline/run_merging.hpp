// Phase two of a sort: merges runs into longer ones until one more merge can take all that are left; that merge gives
// the output. Used by SortJob; how one merge works is in merge/final_merge.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <sortie/options.hpp>

#include "base/memory_region.hpp"
#include "engine/engine.hpp"
#include "observe/observer.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/merge/window_pipeline.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "pipeline/runs/run_store.hpp"

namespace sortie {

/// One merger for each engine.
std::vector<std::unique_ptr<WindowMerger>> make_window_mergers(std::span<const std::unique_ptr<Engine>> engines,
                                                               const MemoryPlan& plan);

/// Memory that one device has pinned serves all devices. Null for engines whose records stay on the host, where there
/// is nothing to pin.
MemoryPinner pinner_of(std::span<const std::unique_ptr<Engine>> engines);

class RunMerging {
 public:
  /// Everything it refers to must outlive the merging.
  struct Means {
    const SortOptions& options;
    const RecordOrder& order;
    const MemoryPlan& plan;
    std::span<const std::unique_ptr<Engine>> engines;
    RunStore& store;
    Checkpoint* checkpoint;  ///< learns which runs take the place of others; null if there is none
    Observer& observer;
  };
  explicit RunMerging(const Means& means) : means_(means) {}

  /// Merges neighbouring runs into longer ones until one more pass can take all.
  void reduce_to_fan_in(std::vector<Run>& runs);
  /// Merges all of `runs`, of which there are no more than one pass can take.
  void merge(std::span<Run> runs, const MergedConsumer& consumer);

  std::uint64_t passes() const { return passes_; }
  std::uint64_t windows() const { return windows_; }
  /// Totals of the duplicates dropped.
  const RecordTotals& dropped() const { return dropped_; }

 private:
  Run merge_group(std::span<Run> members, std::size_t place, std::span<const std::unique_ptr<WindowMerger>> mergers);
  void merge_with(std::span<const std::unique_ptr<WindowMerger>> mergers, std::span<Run> runs,
                  const MergedConsumer& consumer);

  Means means_;
  std::uint64_t passes_ = 0;
  std::uint64_t windows_ = 0;
  RecordTotals dropped_;
};

}  // namespace sortie
