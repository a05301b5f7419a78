// Phase two of a part of the output: merges slices of runs that other processes have formed. Made by merge_slices(),
// once for each attempt.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <sortie/byte_checksum.hpp>
#include <sortie/shard.hpp>

#include "engine/engine.hpp"
#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "pipeline/output/output_stage.hpp"
#include "pipeline/runs/run_store.hpp"
#include "pipeline/setup/job_plan.hpp"
#include "pipeline/setup/machine.hpp"

namespace sortie {

class SliceMergeJob {
 public:
  /// `offset`: see merge_slices(). References must outlive this.
  SliceMergeJob(FileSystem& files, const SortOptions& options, const SlicePlan& plan,
                std::optional<std::uint64_t> offset, Machine machine = this_machine());

  /// Call once. Throws Error.
  SliceReport run();

 private:
  void start_engines();
  void open_store();
  void open_output(std::optional<std::uint64_t> offset);
  std::vector<Run> open_slices();
  void check_first(Record record) const;
  void check_last(Record record) const;
  ShardTotals totals_dropped(RecordTotals dropped) const;

  const SortOptions& wanted() const { return resolved_.options; }

  FileSystem& files_;
  const SlicePlan& slices_;
  Machine machine_;
  ResolvedOptions resolved_;
  RecordOrder order_;
  InputFacts facts_;
  ShardTotals input_;
  Observer observer_;
  ScratchSpace scratch_;
  JobPlan plan_;
  std::vector<std::unique_ptr<Engine>> engines_;
  std::unique_ptr<RunStore> store_;
  ByteChecksum file_checksum_;
  std::unique_ptr<Output> output_;
  std::unique_ptr<OutputStage> stage_;
  bool stopped_early_ = false;
};

}  // namespace sortie
