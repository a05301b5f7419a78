// One sort from beginning to end: acquires what it needs, forms runs, merges them and finishes the output, as in the
// picture in src/README.md. Made by sort_with_fallback(), once for each attempt.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <sortie/sort.hpp>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "observe/report_page.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/input/input_mark.hpp"
#include "pipeline/output/output_stage.hpp"
#include "pipeline/run_merging.hpp"
#include "pipeline/runs/run_formation.hpp"
#include "pipeline/runs/run_store.hpp"
#include "pipeline/setup/engine_pool.hpp"
#include "pipeline/setup/job_inputs.hpp"
#include "pipeline/setup/job_plan.hpp"
#include "pipeline/setup/machine.hpp"

namespace sortie {

class SortJob {
 public:
  /// An input of fewer than `least_mapped_bytes` is not mapped; for tests.
  SortJob(FileSystem& files, SortOptions options, Machine machine = this_machine(),
          std::uint64_t least_mapped_bytes = kLeastMappedBytes);

  /// Lets inputs that are in order, and lines that are nearly so, pass without runs. run() throws NeedsRuns if
  /// they turn out not to be: the sort has to begin anew then, without this call. Preconditions: the output can be
  /// begun anew, inputs can be read again.
  void let_ordered_lines_pass() { lets_ordered_lines_pass_ = true; }

  /// Tells `observer` what the sort does, in place of one of its own.
  void tell(Observer& observer) { observer_ = &observer; }

  /// Counts times without a year as assumed: the user has not said TextOrder::last_day. In the observer of another job
  /// it may be settled.
  void report_assumed_years() { year_is_said_ = false; }

  /// What records pass through on their way to `target`, which is the output that the options name.
  using OutputLead = std::function<std::unique_ptr<Output>(std::unique_ptr<Output> target,
                                                           const ResolvedOptions& resolved, Observer& observer)>;

  /// Writes records in this form, for another sort that takes them, to what `lead` leads to. The output is complete
  /// when that is finished.
  void write_through(RecordForm form, OutputLead lead) {
    form_ = form;
    lead_ = std::move(lead);
  }
  /// The same where the output takes them as they are.
  void write_as(RecordForm form) { form_ = form; }

  /// Acquires everything, forms runs, merges them, finishes the output. Call once. Throws Error.
  SortReport run();

  /// Whether any of the output has been passed on.
  bool has_written() const { return stage_ && stage_->has_written(); }

  /// What the report page needs. Preconditions: the options ask for one, run() has returned.
  PageFacts page_facts() const;

  /// The largest budget of any GPU; 0 on the CPU, and before engines have started.
  std::uint64_t device_budget_bytes() const { return pool_.device_budget_bytes(); }

 private:
  SortOptions with_progress_cleared(SortOptions options);
  void acquire();
  void open_files();
  void open_observer();
  InputMark begin_checkpoint();
  void make_plan();
  bool inputs_can_stream();
  void stream_inputs();
  void open_store();
  void open_stage();
  std::vector<Run> form();
  FormedRuns form_runs_of_input();
  DecoratingReader* ordered_lines();
  FormedRuns pass_on(DecoratingReader& lines);
  void merge(std::vector<Run> runs);
  void merge_runs(std::vector<Run> runs);
  void merge_inputs();
  void warn_of_disorder(const Disorder& disorder);
  void check_output();
  std::vector<Assumption> assumptions() const;
  void refuse_assumptions() const;
  void warn_of_assumptions() const;
  SortReport finish();
  void finish_checkpoint();
  SortReport report() const;

  // What form(), merge() and check_output() find out.
  struct Outcome {
    RecordTotals input;
    RecordTotals dropped;        // duplicates, and records beyond those wanted
    bool stopped_early = false;  // the output was full before the inputs were read
    SortReport report;           // report() adds what the rest of the job knows
  };

  const SortOptions& wanted() const { return inputs_->resolved().options; }

  FileSystem& files_;
  const SortOptions options_;
  const Machine machine_;
  const std::uint64_t least_mapped_bytes_;
  bool lets_ordered_lines_pass_ = false;
  bool year_is_said_ = true;
  bool passes_on_ = false;  // no runs are formed, though nobody has said that inputs are sorted
  RecordForm form_ = RecordForm::kPlain;
  OutputLead lead_;               // empty: records go straight to the output
  Observer* observer_ = nullptr;  // null before acquire(), if it is the job's own
  // acquire() fills these in. They are destroyed from the last to the first, because later ones use earlier ones: the
  // store's memory is pinned by an engine, the inputs may be mapped in an engine's memory, and the stage writes to the
  // output.
  std::unique_ptr<Checkpoint> checkpoint_;  // null if the options ask for none
  std::optional<Observer> own_observer_;    // unless another is told
  EnginePool pool_;
  std::optional<JobInputs> inputs_;
  std::optional<RecordOrder> order_;
  std::optional<ScratchSpace> scratch_;
  JobPlan plan_;
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<Output> output_;
  std::unique_ptr<OutputStage> stage_;
  Outcome outcome_;
};

}  // namespace sortie
