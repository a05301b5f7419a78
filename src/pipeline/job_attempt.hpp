// One attempt of a job that makes runs or merges them: what it owns, and each step that a sort, a shard and a merge of
// slices have in common, once. SortJob, ShardJob and SliceMergeJob are such attempts, and put the steps together.
//
//   open_observer ── inputs ── start (engines, plan) ── open_store ── form_runs_of_inputs ─┐
//                                                       open_stage ── merge_runs ──────────┴─ finish_output
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "engine/engine.hpp"
#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/merge/window_pipeline.hpp"
#include "pipeline/output/dropped_report.hpp"
#include "pipeline/output/output_stage.hpp"
#include "pipeline/runs/run_formation.hpp"
#include "pipeline/runs/run_store.hpp"
#include "pipeline/setup/engine_pool.hpp"
#include "pipeline/setup/job_inputs.hpp"
#include "pipeline/setup/job_plan.hpp"
#include "pipeline/setup/machine.hpp"

namespace sortie {

/// Opens what is told of a whole job: its progress, and a trace if one is asked for. `year_is_said`: times without a
/// year are not counted as assumed. `thread`: the name of the calling thread.
std::unique_ptr<Observer> open_observer(FileSystem& files, const SortOptions& options, bool year_is_said,
                                        const char* thread = "reader");

/// The options, with a `warn` that clears the progress line first, so that no warning lands in it. `observer` must
/// outlive them.
SortOptions with_progress_cleared(SortOptions options, Observer& observer);

/// All that was assumed, also of the headers of inputs.
std::vector<Assumption> list_assumptions(const InputOpener& opener, const Observer& observer);

/// Warns of them; throws Error instead if the job is strict.
void report_assumptions(const SortOptions& options, const std::vector<Assumption>& assumptions);

/// Puts the output in its place, if neither a stop nor who watches prevents it. After that, no stop counts any more.
void finish_output(Output& output, Observer& observer);

/// Does `work` when the output is complete: lack of memory is no failure any more, and other errors say that the output
/// is complete.
template <class Work>
void after_output(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete");
  }
}

class JobAttempt {
 public:
  JobAttempt(const JobAttempt&) = delete;
  JobAttempt& operator=(const JobAttempt&) = delete;

  /// Whether any of the output has been passed on.
  bool has_written() const { return stage_ && stage_->has_written(); }

  /// The largest budget of any GPU; 0 on the CPU, and before engines have started.
  std::uint64_t device_budget_bytes() const { return pool_.device_budget_bytes(); }

 protected:
  JobAttempt(FileSystem& files, SortOptions options, Machine machine);
  ~JobAttempt() = default;

  const SortSpec& spec() const { return spec_ ? *spec_ : inputs_->spec(); }
  const SortOptions& job_options() const { return spec().options; }

  /// Whether the output shows all bytes of all inputs.
  bool output_has_all_bytes() const { return !job_options().unique && job_options().top_records == 0; }

  /// Makes the plan, and starts the engines that it says. `sizes`: of what is formed or merged.
  void start(EngineUse use, const InputSizes& sizes);

  /// The store of the runs, with what the plan says beside `options`. `scratch_space`: what is known of the scratch
  /// space.
  void open_store(RunStoreOptions options, const CompressionPolicy::Scratch& scratch_space);

  /// What writes to `output`. `ties_in_order`: see OutputOptions. `most_records`: in place of what the options say.
  void open_stage(Output& output, std::span<const std::byte> header, bool ties_in_order = false,
                  std::uint64_t most_records = 0);

  /// Forms runs of all inputs, which have been read then. `consume_only_run`: see form_runs(); not empty: the inputs
  /// may go to the engine in one piece.
  FormedRuns form_runs_of_inputs(const PartConsumer& consume_only_run, RunJournal* journal = nullptr);

  /// One merger for each engine.
  std::vector<std::unique_ptr<WindowMerger>> window_mergers() const;

  /// Merges runs into longer ones until one more merge can take all that are left; that merge gives the output.
  void merge_runs(std::vector<Run> runs, const MergedConsumer& consume);

  // What the phases find out.
  struct Outcome {
    RecordTotals input;
    RecordTotals dropped;        // duplicates, and records beyond those wanted
    bool stopped_early = false;  // the output was full before the inputs were read
    SortReport report;           // report() adds what the rest of the job knows
  };

  FileSystem& files_;
  const SortOptions options_;
  const Machine machine_;
  Observer* observer_ = nullptr;  // null before one is opened
  // They are destroyed from the last to the first, because later ones use earlier ones: the store's memory is pinned by
  // an engine, the inputs may be mapped in an engine's memory, and the stage writes to the output.
  std::unique_ptr<Checkpoint> checkpoint_;  // null if there is none
  std::unique_ptr<Observer> own_observer_;  // unless that of another job is told
  EnginePool pool_;
  std::optional<SortSpec> spec_;  // of an attempt that has no inputs
  std::optional<JobInputs> inputs_;
  std::optional<ScratchSpace> scratch_;
  JobPlan plan_;
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<Output> output_;
  std::optional<DroppedReport> dropped_;  // nothing if nobody asks for one
  std::unique_ptr<OutputStage> stage_;
  Outcome outcome_;

 private:
  void reduce_to_fan_in(std::vector<Run>& runs);
  Run merge_group(std::span<Run> members, std::size_t position, std::span<const std::unique_ptr<WindowMerger>> mergers);
  void merge_with(std::span<const std::unique_ptr<WindowMerger>> mergers, std::span<Run> runs,
                  const MergedConsumer& consume);
};

}  // namespace sortie
