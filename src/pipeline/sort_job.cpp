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
#include "base/quote.hpp"
#include "base/seconds_since.hpp"
#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/checkpoint/resume.hpp"
#include "pipeline/checkpoint/run_journal.hpp"
#include "pipeline/merge/input_merge.hpp"
#include "pipeline/runs/ordered_pass.hpp"
#include "pipeline/setup/job_output.hpp"
#include "pipeline/setup/page_facts.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/top/top_records.hpp"

namespace sortie {
namespace {

/// Every machine has so much free memory.
constexpr std::uint64_t kSurelyFreeBytes = 512 << 20;
/// Lines that pass at a time, for each thread: keys and references to a few megabytes of lines, which stay in the
/// caches; or lines themselves, some of which are written while all threads work on the next.
constexpr std::uint64_t kPassedReferenceBytes = 512 << 10;
constexpr std::uint64_t kPassedLineBytes = 2 << 20;

}  // namespace

SortJob::SortJob(FileSystem& files, const SortOptions& options, Machine machine, std::uint64_t least_mapped_bytes)
    : files_(files),
      options_(with_progress_cleared(options)),
      machine_(std::move(machine)),
      least_mapped_bytes_(least_mapped_bytes) {}

// Clears the progress line before each warning, so that none lands in it.
SortOptions SortJob::with_progress_cleared(SortOptions options) {
  if (!options.warn) return options;
  options.warn = [this, warn = std::move(options.warn)](const std::string& message) {
    if (!observer_) return warn(message);
    observer_->make_way_for([&] { warn(message); });
  };
  return options;
}

SortReport SortJob::run() {
  acquire();
  try {
    merge(form());
    check_output();
  } catch (const RecordTooLong& error) {
    inputs_->check();  // throws if the input is damaged, as below
    if (device_budget_bytes() == 0) throw;
    throw DeviceError(std::string(error.what()) + ", or use the CPU engine", Remedy::kCpuEngine);
  } catch (const LinesOutOfOrder&) {
    inputs_->check();  // an input that somebody changes is not sorted anew
    throw;
  } catch (const Error&) {
    inputs_->check();  // throws if the input is damaged: that is the cause then
    throw;
  }
  return finish();
}

// Finds what is missing before any work.
void SortJob::acquire() {
  open_files();
  make_plan();
  const EngineUse use = wanted().merge_only ? EngineUse::kMerge : EngineUse::kForm;
  pool_ = start_engines(files_, *inputs_, plan_, use, machine_, *observer_);
  outcome_.report.engine_reason = pool_.reason;
  outcome_.report.device_failure = pool_.device_failure;
  open_store();
  open_stage();
}

void SortJob::open_files() {
  checkpoint_ = open_checkpoint(files_, options_);
  inputs_.emplace(files_, with_kept_seed(options_, checkpoint_.get()), form_);
  order_.emplace(wanted().format);
  observer_.emplace(options_.progress, open_report(files_, options_.trace_path, options_), options_.watch);
  if (!options_.report_path.empty()) observer_->keep_timeline();
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

// Returns where it goes on.
InputMark SortJob::begin_checkpoint() {
  if (!checkpoint_) return {};
  const ResolvedOptions& resolved = inputs_->resolved();
  checkpoint_->begin(identify_job(files_, resolved), resolved.input_format.text.random_seed);
  return checkpoint_->end();
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

// Asks how much memory is free only where that may matter.
bool SortJob::writes_around_cache() const {
  return exceeds_cache(plan_.needs, kSurelyFreeBytes) && exceeds_cache(plan_.needs, available_memory_bytes());
}

void SortJob::open_store() {
  const LineDecorator* const decorator = inputs_->resolved().decorator.get();
  const MemoryPlan& memory = plan_.memory;
  const bool around_cache = writes_around_cache();
  if (around_cache) output_->write_around_cache();
  // The system is not asked about files that will hardly be made.
  const bool makes_files = !inputs_->facts().sorted.bytes || plan_.needs.scratch_bytes > 0 || wanted().merge_only;
  // Inputs need the other files that may be opened, and so do pipes. A merge of inputs opens as many of those as it
  // can.
  const bool spares_files = wanted().merge_only || wanted().compress_program || !makes_files;
  const std::uint64_t most_run_files = spares_files ? 1 : free_descriptors() / 2;
  const CompressionPolicy::Scratch place{.is_short = scratch_is_short(),
                                         .lies_in_memory = makes_files && scratch_->lies_in_memory()};
  auto policy = std::make_unique<CompressionPolicy>(wanted(), place);
  const bool prepares_files = place.lies_in_memory && !wanted().compress_program && policy->never_compresses();
  store_ = std::make_unique<RunStore>(
      wanted().format, *order_, *scratch_, std::move(policy),
      RunStore::Options{memory.store_bytes, memory.merge.block_bytes, inputs_->resolved().repeats_in_runs(),
                        wanted().verify, inputs_->facts().sorted.bytes.value_or(0), decorator, checkpoint_.get(),
                        memory.most_block_bytes, memory.index_bytes, wanted().compress_program, most_run_files,
                        around_cache, prepares_files},
      *observer_, pinner_of(pool_.engines));
}

void SortJob::open_stage() {
  OutputOptions options = output_options(inputs_->resolved());
  options.header = inputs_->output_header();
  options.ties_in_order = wanted().merge_only;
  options.scratch = &*scratch_;
  options.tie_bytes = plan_.memory.decoration.tie_bytes;
  options.part_bytes = plan_.memory.part_bytes;
  stage_ = std::make_unique<OutputStage>(wanted().format, *order_, *output_, options, *observer_,
                                         inputs_->resolved().decorator.get());
}

// Whether runs have to be compressed to fit the scratch space. Throws Error if the sort cannot succeed.
bool SortJob::scratch_is_short() {
  PreflightNeeds needs = plan_.needs;
  needs.output_bytes = 0;  // its space is reserved by now, or cannot be
  const PreflightRoom room = survey_room(files_, *scratch_, wanted(), needs);
  for (const PreflightFinding& finding : preflight(needs, room)) {
    if (finding.is_fatal) throw Error(finding.message, finding.remedy);
    if (wanted().warn) wanted().warn(finding.message);
  }
  return needs.scratch_bytes + needs.scratch_bytes / 16 > room.scratch_bytes;
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
  outcome_.report.runs = formed.direct ? (outcome_.input.records > 0 ? 1 : 0) : formed.runs.size();
  outcome_.report.runs_spilled = formed.spilled;
  for (const Run& run : formed.runs) {
    outcome_.report.run_bytes += run.record_bytes;
    outcome_.report.stored_bytes += run.stored_bytes;
  }
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
      [this](std::span<std::byte> part) { stage_->accept(part); }, *observer_, journal ? &*journal : nullptr);
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
  observer_->begin_phase("passing lines on", inputs_->facts().bytes.value_or(0));
  pool_.formers.clear();
  const bool refers = inputs_->resolved().decorator->refers();
  pass_on_in_order(lines, parallel_threads() * (refers ? kPassedReferenceBytes : kPassedLineBytes),
                   plan_.memory.formation_bytes, [this](std::span<std::byte> part) { stage_->accept(part); });
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
                   [this](const Disorder& disorder) { warn_of_disorder(disorder); });
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

// Checks that everything that went in has come out, before the output takes its place.
void SortJob::check_output() {
  stage_->finish();
  inputs_->check();
  outcome_.dropped += stage_->dropped();
  if (!wanted().verify || outcome_.stopped_early) return;
  if (!wanted().grouping) return compare_totals(outcome_.input, stage_->written(), outcome_.dropped);
  // Records that became a sum have no checksum; each group knows how many records it is made of.
  compare_totals({outcome_.input.records, outcome_.input.bytes, {}}, stage_->grouped(), {});
}

// Sets and joins are wrong where equal keys do not come together.
void SortJob::warn_of_disorder(const Disorder& disorder) {
  const std::string finding = "input '" + escape_unprintable(disorder.input) + "' is not sorted: record " +
                              std::to_string(disorder.record) + " at offset " + std::to_string(disorder.offset) +
                              " is out of order";
  if (wanted().set_operation != SetOperation::kNone || form_ == RecordForm::kKeyed)
    throw Error(finding + "; sort it first, or do not ask for a merge");
  stage_->expect_disorder();
  if (wanted().warn) wanted().warn(finding + "; it is merged as it stands: sort it first");
}

// When the output is complete, lack of memory is no failure any more without a checkpoint, and other errors must say
// that the output is complete.
SortReport SortJob::finish() {
  SortReport nearly_all = report();
  {
    const auto span = observer_->span("finish output");
    output_->finish();
  }
  if (ThreadTeam* const team = ThreadTeam::current()) team->ignore_stops();
  try {
    if (checkpoint_) finish_checkpoint();
    observer_->finish();
    return report();
  } catch (const std::bad_alloc&) {
    if (checkpoint_) throw;
    return nearly_all;
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete");
  }
}

void SortJob::finish_checkpoint() {
  const std::string left = checkpoint_->finish();
  if (!left.empty() && wanted().warn) wanted().warn(left);
}

SortReport SortJob::report() const {
  SortReport report = outcome_.report;
  report.engine = std::string(pool_.engines[0]->name());
  report.input_records = outcome_.input.records;
  report.input_bytes = outcome_.input.bytes;
  report.output_records = stage_->written().records;
  report.output_bytes = stage_->written().bytes;
  report.verified = wanted().verify && !outcome_.stopped_early;
  if (report.verified) report.checksum = outcome_.input.checksum;
  report.scratch_peak_bytes = store_->scratch_peak_bytes();
  report.memory_budget_bytes = inputs_->resolved().memory_bytes;
  report.device_budget_bytes = device_budget_bytes();
  report.devices = report.device_budget_bytes == 0 ? 0 : static_cast<unsigned>(pool_.engines.size());
  observer_->describe(report);
  return report;
}

PageFacts SortJob::page_facts() const {
  PageFacts facts = sortie::page_facts(inputs_->resolved(), scratch_->directories(), *output_);
  facts.timeline = observer_->timeline();
  return facts;
}

}  // namespace sortie
