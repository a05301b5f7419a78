// One sort from beginning to end: this file reads like the picture in README.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <sortie/sort.hpp>

#include "engine/engine.hpp"
#include "io/file.hpp"
#include "io/output.hpp"
#include "io/scratch.hpp"
#include "observe/observer.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/output/output_stage.hpp"
#include "pipeline/run_merging.hpp"
#include "pipeline/runs/run_formation.hpp"
#include "pipeline/runs/run_store.hpp"
#include "pipeline/setup/gpu_access.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

class SortJob {
 public:
  /// Opens everything that the sort needs, so that what is missing is found before any work. Reads ahead while a GPU
  /// starts. An input of fewer than `least_mapped_bytes` is not mapped; for tests. Throws Error.
  SortJob(FileSystem& files, const SortOptions& options, const GpuAccess& gpus = cuda_access(),
          std::uint64_t least_mapped_bytes = kLeastMappedBytes);

  /// Call once.
  SortReport run();

  /// Whether any of the output has been passed on.
  bool has_written() const { return stage_->has_written(); }

  /// The largest budget of any GPU; 0 on the CPU.
  std::uint64_t device_budget_bytes() const { return largest_device_budget(engines_); }

 private:
  std::uint64_t most_run_files() const;
  std::optional<std::uint64_t> input_bytes() const;
  bool scratch_is_short(std::optional<std::uint64_t> sorted_bytes);
  void leave_lines_in_place(const GpuAccess& gpus);
  void go_on_from_checkpoint();
  void start(const GpuAccess& gpus);
  FormedRuns form();
  void form_and_merge();
  void merge_inputs();
  void check_output();
  void warn_of_disorder(const Disorder& disorder);
  void merge_to_output(std::vector<Run>& runs);
  void check_input();
  SortReport finish_output();
  void finish_checkpoint();
  std::vector<std::unique_ptr<WindowMerger>> make_mergers() { return make_window_mergers(engines_, plan_); }
  SortReport report() const;

  FileSystem& files_;
  std::unique_ptr<Checkpoint> checkpoint_;  // null if the options ask for none
  InputOpener opener_;
  ResolvedOptions resolved_;
  RecordOrder order_;
  Observer observer_;
  std::unique_ptr<RecordReader> reader_;  // null for --merge, which opens its inputs one by one
  std::vector<std::unique_ptr<Engine>> engines_;
  MemoryPlan plan_;
  std::vector<std::unique_ptr<RunFormer>> formers_;  // empty once the runs are formed
  ScratchSpace scratch_;
  std::unique_ptr<CompressionPolicy> compression_;
  std::unique_ptr<RunStore> store_;
  TakenRuns taken_;  // runs of an earlier attempt, until runs are formed
  std::unique_ptr<Output> output_;
  std::unique_ptr<OutputStage> stage_;
  RecordTotals input_totals_;
  RecordTotals dropped_;
  bool stopped_early_ = false;  // the output was full before the inputs were read
  SortReport report_;
};

}  // namespace sortie
