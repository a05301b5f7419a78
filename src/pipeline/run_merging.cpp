#include "pipeline/run_merging.hpp"

#include <iterator>
#include <utility>

#include "pipeline/merge/final_merge.hpp"
#include "pipeline/plan/window_plan.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {
namespace {

std::uint64_t bytes_of(std::span<const Run> runs) {
  std::uint64_t bytes = 0;
  for (const Run& run : runs) bytes += run.record_bytes;
  return bytes;
}

}  // namespace

std::vector<std::unique_ptr<WindowMerger>> make_window_mergers(std::span<const std::unique_ptr<Engine>> engines,
                                                               const MemoryPlan& plan) {
  std::vector<std::unique_ptr<WindowMerger>> mergers;
  for (const auto& engine : engines)
    mergers.push_back(engine->make_window_merger({plan.merger_bytes, plan.arena_bytes}));
  return mergers;
}

MemoryPinner pinner_of(std::span<const std::unique_ptr<Engine>> engines) {
  if (largest_device_budget(engines) == 0) return {};
  return [engine = engines[0].get()](std::span<std::byte> memory) { return engine->pin(memory); };
}

void RunMerging::reduce_to_fan_in(std::vector<Run>& runs) {
  while (true) {
    const std::uint64_t fan_in =
        limited_fan_in(max_fan_in(means_.plan.arena_bytes, largest_blocks(runs)), means_.options);
    if (runs.size() <= fan_in) return;
    means_.observer.begin_phase("merging runs into runs", 0);
    const auto mergers = make_window_mergers(means_.engines, means_.plan);
    std::vector<Run> next;
    std::size_t taken = 0;
    for (const MergeGroup& group : plan_merge_pass(runs.size(), fan_in)) {
      next.push_back(merge_group(std::span(runs).subspan(group.begin, group.end - group.begin), next.size(), mergers));
      taken = group.end;
    }
    std::move(runs.begin() + static_cast<std::ptrdiff_t>(taken), runs.end(), std::back_inserter(next));
    runs = std::move(next);
    ++passes_;
  }
}

// Leaves the members empty. `place`: how many runs come before the merged one.
Run RunMerging::merge_group(std::span<Run> members, std::size_t place,
                            std::span<const std::unique_ptr<WindowMerger>> mergers) {
  const std::unique_ptr<RunSink> sink = means_.store.begin_run(bytes_of(members));
  merge_with(mergers, members, [&](std::span<std::byte> records) {
    sink->append(records);
    return true;
  });
  Run merged = sink->finish();
  if (means_.checkpoint != nullptr) {
    means_.checkpoint->replace(place, members.size(), Checkpoint::describe(merged, sink->dropped()));
  }
  dropped_ += sink->dropped();
  for (Run& run : members) run = Run();
  return merged;
}

void RunMerging::merge(std::span<Run> runs, const MergedConsumer& consumer) {
  means_.observer.begin_phase("merging", bytes_of(runs));
  merge_with(make_window_mergers(means_.engines, means_.plan), runs, consumer);
  ++passes_;
}

void RunMerging::merge_with(std::span<const std::unique_ptr<WindowMerger>> mergers, std::span<Run> runs,
                            const MergedConsumer& consumer) {
  RunMerge merge(means_.order, mergers, means_.plan, means_.observer, pinner_of(means_.engines));
  windows_ += merge.merge(runs, consumer);
}

}  // namespace sortie
