#include "pipeline/sort_job.hpp"

#include <chrono>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/device_error.hpp"
#include "base/seconds_since.hpp"
#include "base/system_limits.hpp"
#include "io/output/open_output.hpp"
#include "observe/assumption_words.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/checkpoint/resume.hpp"
#include "pipeline/checkpoint/run_journal.hpp"
#include "pipeline/merge/sorted_inputs_merge.hpp"
#include "pipeline/runs/ordered_delivery.hpp"
#include "pipeline/setup/chain_shape.hpp"
#include "pipeline/setup/sort_files.hpp"

namespace sortie {
namespace {

/// Every machine has so much free memory.
constexpr std::uint64_t kSurelyFreeBytes = 512 << 20;

bool is_of_memory(const Error& error) {
  return error.remedy() == Remedy::kLessMemory || error.remedy() == Remedy::kMoreMemory;
}

}  // namespace

// A chain of sorts writes in its form at its end.
SortJob::SortJob(FileSystem& files, const SortOptions& options, Machine machine, const SortContext& context)
    : JobAttempt(files, with_order_settled(options, kept_seed(files, options)), std::move(machine)),
      context_(context),
      year_is_said_(!assumes_year(options)) {}

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
  look_at_inputs();
  start(job_options().merge_only ? EngineUse::kMerge : EngineUse::kForm, inputs_->sizes());
  open_sort_store();
  Output& target = chain_ ? static_cast<Output&>(*chain_) : *output_;
  open_stage(target, inputs_->shown_header(), job_options().merge_only);
}

void SortJob::open_files() {
  const bool is_chained = chain_length(options_) > 1;
  checkpoint_ = open_checkpoint(files_, options_);
  observer_ = context_.observer;
  if (observer_ == nullptr) observer_ = (own_observer_ = open_observer(files_, options_, year_is_said_)).get();
  observer_->assumptions().clear();  // an earlier attempt may have told it some
  observer_->name_thread("reader");
  inputs_.emplace(files_, with_progress_cleared(first_of_chain(options_), *observer_), *observer_,
                  is_chained ? RecordForm::kPositioned : context_.form, context_.header);
  scratch_.emplace(files_, run_directories(checkpoint_.get(), options_));
  if (job_options().merge_only) {
    check_presorted_inputs(files_, job_options().inputs);
  } else {
    inputs_->begin_at(begin_checkpoint());
  }
  output_ = open_job_output(files_, *inputs_, *scratch_);
  if (spec().reports_dropped()) {
    dropped_.emplace(
        open_output(files_, options_.dropped_path, {.by_suffix = options_.unpack}, options_.temporary_names),
        job_options().inputs, job_options().header_lines, options_.source_places, *scratch_);
  }
  if (is_chained)
    chain_.emplace(options_, std::string(as_text(inputs_->opener().header())), context_.form, spec().threads,
                   inputs_->sizes().budget.memory_bytes, *output_, *observer_, context_.run_later);
}

// Returns where it goes on.
InputMark SortJob::begin_checkpoint() {
  if (!checkpoint_) return {};
  checkpoint_->begin(identify_job(files_, spec()), spec().input_format.text.random_seed.value_or(RandomSeed{}));
  Assumptions& assumptions = observer_->assumptions();
  assumptions.refuse_at_once();
  InputMark end = checkpoint_->end();
  assumptions.begin_with(end.assumed);
  return end;
}

// Finds out what the plan follows from, and how the inputs are read. Those that are in order already are merged while
// they are read, without runs.
void SortJob::look_at_inputs() {
  inputs_->take_sizes();
  if (const auto bytes = inputs_->sizes().bytes; bytes && output_has_all_bytes()) {
    output_->expect(*bytes + inputs_->opener().header().size());
  }
  inputs_->read_if_little();
  // Records that are passed on behind their keys are copied, and hold no input.
  const bool output_waits = output_->waits_for_reader() && context_.form != RecordForm::kKeyed;
  inputs_->prepare(choose_reading(spec(), inputs_->sizes(), machine_),
                   {checkpoint_ != nullptr, output_waits, context_.least_mapped_bytes});
  if (!inputs_can_stream()) return;
  passes_on_ = true;
  inputs_->leave_to_merge();
}

bool SortJob::inputs_can_stream() {
  if (!context_.lets_ordered_lines_pass) return false;
  const JobPlan sorted = plan_job(spec(), inputs_->sizes(), machine_);
  return streams_if_sorted(spec(), sorted) &&
         job_options().inputs.size() <= most_inputs_at_once(sorted.memory, spec()) && inputs_->seem_sorted();
}

void SortJob::open_sort_store() {
  const bool around_cache =
      exceeds_cache(plan_.needs, kSurelyFreeBytes) && exceeds_cache(plan_.needs, available_memory_bytes());
  if (around_cache) output_->write_around_cache();
  const std::optional<std::uint64_t> bytes = inputs_->sizes().sorted.bytes;
  // The system is not asked about files that will hardly be made.
  const bool may_spill = plan_.needs.scratch_bytes > 0 || !plan_.needs.knows_runs;
  const bool makes_files = !bytes || may_spill || job_options().merge_only;
  // Inputs need the other files that may be opened, and so do pipes. A merge of inputs opens as many of those as it
  // can.
  const bool spares_files = job_options().merge_only || job_options().compress_program || !makes_files;
  const bool is_short = scratch_is_short();
  open_store({.expected_bytes = bytes.value_or(0),
              .most_files = spares_files ? 1 : free_descriptors() / 2,
              .around_cache = around_cache},
             {.is_short = is_short, .lies_in_memory = makes_files && scratch_->lies_in_memory()});
}

// Whether runs have to be compressed to fit the scratch space. Warns of what the sort may lack; throws Error if it
// cannot succeed.
bool SortJob::scratch_is_short() {
  PreflightEstimate needs = plan_.needs;
  needs.output_bytes = 0;  // its space is reserved by now, or cannot be
  const PreflightSpace room = survey_room(files_, *scratch_, job_options(), needs);
  for (const PreflightFinding& finding : preflight(needs, room)) {
    if (finding.is_fatal) throw Error(finding.message, finding.remedy);
    if (job_options().warn) job_options().warn(finding.message);
  }
  return needs.scratch_bytes + needs.scratch_bytes / 16 > room.scratch_bytes;
}

// --merge forms no runs. Runs of an earlier attempt are looked at before any more are formed.
std::vector<Run> SortJob::form() {
  if (job_options().merge_only) return {};
  TakenRuns taken = store_->take_over();
  const auto begin = std::chrono::steady_clock::now();
  KeyedReader* const lines = ordered_lines();
  FormedRuns formed = lines != nullptr ? deliver(*lines) : form_runs();
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

FormedRuns SortJob::form_runs() {
  std::optional<RunJournal> journal;
  if (checkpoint_) journal.emplace(*checkpoint_, *inputs_->reader());
  const auto accept = [this](std::span<std::byte> part) {
    refuse_assumptions();  // all has been read
    stage_->accept(part);
  };
  const PartConsumer consume_only_run(accept, stage_->own_look(), stage_->own_room());
  return form_runs_of_inputs(consume_only_run, journal ? &*journal : nullptr);
}

// Null if runs are to be formed. A GPU that has been started sorts.
KeyedReader* SortJob::ordered_lines() {
  if (!context_.lets_ordered_lines_pass || device_budget_bytes() != 0) return nullptr;
  return inputs_->lines_in_order(plan_.memory.encoding);
}

// Needs no engine, and none of the memory for runs.
FormedRuns SortJob::deliver(KeyedReader& lines) {
  passes_on_ = true;
  observer_->begin_phase("passing lines on", inputs_->sizes().bytes.value_or(0));
  pool_.formers.clear();
  deliver_in_order(lines, spec().codec->refers(), plan_.memory.formation_bytes,
                   [this](std::span<std::byte> part) { stage_->accept(part); });
  outcome_.input = inputs_->finish_reading();
  FormedRuns formed;
  formed.direct = true;
  return formed;
}

// Runs that were formed, unless all fitted one, or inputs that are sorted already.
void SortJob::merge(std::vector<Run> runs) {
  const auto begin = std::chrono::steady_clock::now();
  if (job_options().merge_only) merge_inputs();
  const auto accept = [this](std::span<std::byte> records) {
    stage_->accept(records);
    return true;
  };
  if (!runs.empty()) merge_runs(std::move(runs), {accept, stage_->own_check(), stage_->own_room()});
  outcome_.report.merge_seconds = seconds_since(begin);
}

void SortJob::merge_inputs() {
  const auto mergers = window_mergers();
  SortedInputsMerge merge(inputs_->opener(), spec(), plan_.memory, mergers, *store_, *observer_, options_.merge_only,
                          [this](const Disorder& disorder) { warn_of_disorder(disorder); });
  const auto accept = [this](std::span<std::byte> records) {
    stage_->accept(records);
    outcome_.stopped_early = stage_->is_full();
    return !outcome_.stopped_early;
  };
  const SortedInputsMerge::Summary summary = merge.merge({accept, stage_->own_check(), stage_->own_room()});
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
  if (job_options().set_operation != SetOperation::kNone || context_.form == RecordForm::kKeyed)
    throw Error(finding + "; sort it first, or do not ask for a merge");
  guess_warner(job_options())(finding + "; it is merged as it stands: sort it first",
                              finding + "; it would be merged as it stands: sort it first");
  stage_->expect_disorder();
}

}  // namespace sortie
