#include "pipeline/sort_job.hpp"

#include <chrono>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/device_error.hpp"
#include "base/parallel.hpp"
#include "base/seconds_since.hpp"
#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/checkpoint/resume.hpp"
#include "pipeline/checkpoint/run_journal.hpp"
#include "pipeline/job_store.hpp"
#include "pipeline/merge/input_merge.hpp"
#include "pipeline/runs/ordered_pass.hpp"
#include "pipeline/setup/job_output.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/top/top_records.hpp"

namespace sortie {
namespace {

bool is_of_memory(const Error& error) {
  return error.remedy() == Remedy::kLessMemory || error.remedy() == Remedy::kMoreMemory;
}

}  // namespace

SortJob::SortJob(FileSystem& files, SortOptions options, Machine machine, std::uint64_t least_mapped_bytes)
    : files_(files),
      options_(with_progress_cleared(std::move(options))),
      machine_(std::move(machine)),
      least_mapped_bytes_(least_mapped_bytes) {}

// Clears the progress line before each warning, so that none lands in it.
SortOptions SortJob::with_progress_cleared(SortOptions options) {
  if (!options.warn) return options;
  options.warn = [this, warn = std::move(options.warn)](const Warning& warning) {
    if (observer_ == nullptr) return warn(warning);
    observer_->make_way_for([&] { warn(warning); });
  };
  return options;
}

SortReport SortJob::run() {
  acquire();
  try {
    std::vector<Run> runs = form();
    refuse_assumptions();
    merge(std::move(runs));
    check_output();
  } catch (const RecordTooLong& error) {
    inputs_->check();  // throws if the input is damaged, as below
    if (device_budget_bytes() == 0) throw;
    throw DeviceError(std::string(error.what()) + ", or use the CPU engine", Remedy::kCpuEngine);
  } catch (const NeedsRuns&) {
    inputs_->check();  // an input that somebody changes is not sorted anew
    throw;
  } catch (const std::bad_alloc&) {
    if (passes_on_) throw NeedsRuns();
    throw;
  } catch (const Error& error) {
    inputs_->check();
    if (passes_on_ && is_of_memory(error)) throw NeedsRuns();
    throw;
  }
  return finish();
}

// Finds what is missing before any work.
void SortJob::acquire() {
  open_files();
  make_plan();
  if (inputs_can_stream()) stream_inputs();
  const EngineUse use = wanted().merge_only ? EngineUse::kMerge : EngineUse::kForm;
  pool_ = start_engines(files_, *inputs_, plan_, use, machine_, *observer_);
  open_store();
  open_stage();
}

void SortJob::open_files() {
  checkpoint_ = open_checkpoint(files_, options_);
  inputs_.emplace(files_, with_kept_seed(options_, checkpoint_.get()), form_);
  order_.emplace(wanted().format);
  open_observer();
  scratch_.emplace(files_, run_directories(checkpoint_.get(), options_));
  if (wanted().merge_only) {
    check_presorted_inputs(files_, wanted().inputs);
  } else {
    inputs_->look_at_all(*observer_);
    inputs_->begin_at(begin_checkpoint());
  }
  output_ = open_job_output(files_, *inputs_, *scratch_);
  if (lead_) output_ = lead_(std::move(output_), inputs_->resolved(), *observer_);
}

void SortJob::open_observer() {
  if (observer_ == nullptr) {
    observer_ =
        &own_observer_.emplace(options_.progress, open_report(files_, options_.trace_path, options_), options_.watch);
    if (!options_.report_path.empty()) observer_->keep_timeline();
    if (year_is_said_) observer_->assumptions().settle(GuessKind::kAssumedYear);
  }
  observer_->assumptions().clear();  // an earlier attempt may have told it some
  observer_->name_thread("reader");
}

// Returns where it goes on.
InputMark SortJob::begin_checkpoint() {
  if (!checkpoint_) return {};
  const ResolvedOptions& resolved = inputs_->resolved();
  checkpoint_->begin(identify_job(files_, resolved), resolved.input_format.text.random_seed);
  Assumptions& assumptions = observer_->assumptions();
  if (options_.strict) assumptions.refuse_at_once();
  InputMark end = checkpoint_->end();
  assumptions.begin_with(end.assumed);
  return end;
}

void SortJob::make_plan() {
  inputs_->take_facts();
  plan_ = plan_job(inputs_->resolved(), inputs_->facts(), machine_);
  if (const auto bytes = inputs_->facts().bytes; bytes && !wanted().unique && wanted().top_records == 0) {
    output_->expect(*bytes + inputs_->opener().header().size());
  }
  // Records that are passed on behind their keys are copied, and hold no input.
  const bool output_waits = output_->waits_for_reader() && form_ != RecordForm::kKeyed;
  const MappingTerms terms{checkpoint_ != nullptr, output_waits, least_mapped_bytes_};
  if (inputs_->prepare(plan_.reading, terms)) plan_ = plan_job(inputs_->resolved(), inputs_->facts(), machine_);
}

bool SortJob::inputs_can_stream() {
  const ResolvedOptions& resolved = inputs_->resolved();
  return lets_ordered_lines_pass_ && streams_if_sorted(resolved, plan_) &&
         wanted().inputs.size() <= most_inputs_at_once(plan_.memory, resolved) && inputs_->seem_sorted();
}

// Inputs that are in order already are merged while they are read, without runs.
void SortJob::stream_inputs() {
  passes_on_ = true;
  inputs_->leave_to_merge();
  plan_ = plan_job(inputs_->resolved(), inputs_->facts(), machine_);
}

void SortJob::open_store() {
  const bool around_cache = writes_around_cache(plan_.needs);
  if (around_cache) output_->write_around_cache();
  store_ = open_job_store({files_, *inputs_, plan_, *order_, *scratch_, pool_.engines, checkpoint_.get(), *observer_},
                          around_cache);
}

void SortJob::open_stage() {
  OutputOptions options = output_options(inputs_->resolved());
  options.header = inputs_->shown_header();
  options.ties_in_order = wanted().merge_only;
  options.scratch = &*scratch_;
  options.tie_bytes = plan_.memory.decoration.tie_bytes;
  options.part_bytes = plan_.memory.part_bytes;
  stage_ = std::make_unique<OutputStage>(wanted().format, *order_, *output_, options, *observer_,
                                         inputs_->resolved().decorator.get());
}

// --merge forms no runs. Runs of an earlier attempt are looked at before any more are formed.
std::vector<Run> SortJob::form() {
  if (wanted().merge_only) return {};
  TakenRuns taken = store_->take_over();
  const auto begin = std::chrono::steady_clock::now();
  DecoratingReader* const lines = ordered_lines();
  FormedRuns formed = lines != nullptr ? pass_on(*lines) : form_runs_of_input();
  outcome_.report.runs_resumed = taken.runs.size();
  formed.runs.insert(formed.runs.begin(), std::move_iterator(taken.runs.begin()), std::move_iterator(taken.runs.end()));
  formed.spilled += taken.runs.size();
  formed.dropped += taken.dropped;
  outcome_.dropped += formed.dropped;
  formed.describe(outcome_.report);
  if (formed.direct && outcome_.input.records > 0) outcome_.report.runs = 1;
  outcome_.report.formation_seconds = seconds_since(begin);
  return std::move(formed.runs);
}

FormedRuns SortJob::form_runs_of_input() {
  const InputFacts& facts = inputs_->facts();
  observer_->begin_phase("forming runs", facts.bytes.value_or(0));
  observer_->advance(facts.resumed_bytes);
  PieceSource& records = inputs_->records(plan_.memory.decoration);
  const auto top = select_top_records(records, inputs_->resolved(), *order_, plan_.memory.selection_bytes, *observer_);
  std::optional<RunJournal> journal;
  if (checkpoint_) journal.emplace(*checkpoint_, *inputs_->reader());
  FormedRuns formed = form_runs(
      top ? *top : records, inputs_->whole_input(), pool_.formers, *store_,
      [this](std::span<std::byte> part) {
        refuse_assumptions();  // all has been read
        stage_->accept(part);
      },
      *observer_, journal ? &*journal : nullptr);
  outcome_.input = inputs_->finish_reading();
  pool_.formers.clear();  // gives their memory back
  if (top) outcome_.dropped += top->dropped(outcome_.input);
  return formed;
}

// Null if runs are to be formed. A GPU that has been started sorts.
DecoratingReader* SortJob::ordered_lines() {
  if (!lets_ordered_lines_pass_ || device_budget_bytes() != 0) return nullptr;
  return inputs_->lines_in_order(plan_.memory.decoration);
}

// Needs no engine, and none of the memory for runs.
FormedRuns SortJob::pass_on(DecoratingReader& lines) {
  passes_on_ = true;
  observer_->begin_phase("passing lines on", inputs_->facts().bytes.value_or(0));
  pool_.formers.clear();
  pass_on_in_order(lines, inputs_->resolved().decorator->refers(), plan_.memory.formation_bytes,
                   [this](std::span<std::byte> part) { stage_->accept(part); });
  outcome_.input = inputs_->finish_reading();
  FormedRuns formed;
  formed.direct = true;
  return formed;
}

// Runs that were formed, unless all fitted one, or inputs that are sorted already.
void SortJob::merge(std::vector<Run> runs) {
  const auto begin = std::chrono::steady_clock::now();
  if (wanted().merge_only) merge_inputs();
  if (!runs.empty()) merge_runs(std::move(runs));
  outcome_.report.merge_seconds = seconds_since(begin);
}

void SortJob::merge_runs(std::vector<Run> runs) {
  RunMerging merging({wanted(), *order_, plan_.memory, pool_.engines, *store_, checkpoint_.get(), *observer_});
  merging.reduce_to_fan_in(runs);
  merging.merge(runs, [this](std::span<std::byte> records) {
    stage_->accept(records);
    return true;
  });
  outcome_.report.merge_passes = merging.passes();
  outcome_.report.windows = merging.windows();
  outcome_.dropped += merging.dropped();
}

void SortJob::merge_inputs() {
  const auto mergers = make_window_mergers(pool_.engines, plan_.memory);
  InputMerge merge(inputs_->opener(), inputs_->resolved(), *order_, plan_.memory, mergers, *store_, *observer_,
                   options_.merge_only, [this](const Disorder& disorder) { warn_of_disorder(disorder); });
  const InputMerge::Summary summary = merge.merge([this](std::span<std::byte> records) {
    stage_->accept(records);
    outcome_.stopped_early = stage_->is_full();
    return !outcome_.stopped_early;
  });
  outcome_.input = summary.tally.totals;
  outcome_.dropped += summary.dropped;
  outcome_.report.runs = summary.tally.inputs;
  outcome_.report.merge_passes = summary.passes;
  outcome_.report.windows = summary.windows;
}

// Sets and joins are wrong where equal keys do not come together, and nobody has said that inputs are sorted that seem
// so.
void SortJob::warn_of_disorder(const Disorder& disorder) {
  if (!options_.merge_only) throw NeedsRuns();
  const std::string finding = finding_of(disorder);
  if (wanted().set_operation != SetOperation::kNone || form_ == RecordForm::kKeyed)
    throw Error(finding + "; sort it first, or do not ask for a merge");
  if (options_.strict) throw Error(finding + "; it would be merged as it stands: sort it first");
  stage_->expect_disorder();
  if (wanted().warn) wanted().warn(finding + "; it is merged as it stands: sort it first");
}

}  // namespace sortie
