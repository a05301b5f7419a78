#include "pipeline/sort_job.hpp"

#include <chrono>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "base/device_error.hpp"
#include "base/system_limits.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/checkpoint/resume.hpp"
#include "pipeline/checkpoint/run_journal.hpp"
#include "pipeline/input/decorating_reader.hpp"
#include "pipeline/merge/input_merge.hpp"
#include "pipeline/setup/engine_start.hpp"
#include "pipeline/setup/preflight_survey.hpp"
#include "pipeline/setup/reference_input.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/top/top_records.hpp"

namespace sortie {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

SortJob::SortJob(FileSystem& files, const SortOptions& options, const GpuAccess& gpus, std::uint64_t least_mapped_bytes)
    : files_(files),
      checkpoint_(open_checkpoint(files, options)),
      opener_(files, options),
      resolved_(resolve(with_kept_seed(options, checkpoint_.get()), opener_.find_header())),
      order_(resolved_.options.format),
      observer_(options.progress, open_report(files, options.trace_path, options)),
      scratch_(files, checkpoint_ ? std::vector{checkpoint_->directory()} : options.scratch_directories) {
  const SortOptions& wanted = resolved_.options;
  if (wanted.merge_only) {
    check_presorted_inputs(files_, wanted.inputs);
  } else {
    reader_ = std::make_unique<RecordReader>(opener_, wanted.inputs, resolved_.input_format, wanted.verify, observer_);
  }
  if (checkpoint_) go_on_from_checkpoint();
  output_ = open_output(files_, wanted.output, wanted.unpack, wanted.temporary_names, wanted.scratch_directories);
  if (reader_) {
    // Runs of a checkpoint must not refer to where the input lies in memory. An output that waits would keep those
    // waiting who want to change the input.
    if (!checkpoint_ && !output_->waits_for_reader()) reader_->allow_mapping(least_mapped_bytes);
    leave_lines_in_place(gpus);
  }
  if (input_bytes() && !wanted.unique && wanted.top_records == 0) {
    output_->expect(*input_bytes() + opener_.header().size());
  }
  start(gpus);
  const std::optional<std::uint64_t> bytes = reader_ ? estimate_input(resolved_, *reader_).bytes : std::nullopt;
  compression_ = std::make_unique<CompressionPolicy>(wanted, scratch_is_short(bytes));
  store_ = std::make_unique<RunStore>(
      wanted.format, order_, scratch_, *compression_,
      RunStore::Options{plan_.store_bytes, plan_.block_bytes, wanted.unique && !resolved_.needs_groups(), wanted.verify,
                        bytes.value_or(0), resolved_.decorator.get(), checkpoint_.get(), plan_.most_block_bytes,
                        plan_.index_bytes, wanted.compress_program, most_run_files()},
      observer_, pinner_of(engines_));
  taken_ = store_->take_over();
  stage_ = std::make_unique<OutputStage>(
      wanted.format, order_, *output_,
      OutputStage::Options{wanted.unique, wanted.verify, resolved_.keeps_last, wanted.count, wanted.top_records,
                           opener_.header(), wanted.merge_only, &scratch_, plan_.decoration.tie_bytes},
      observer_, resolved_.decorator.get());
}

// Half of the files that may still be opened: inputs need the rest. A merge of inputs gets one, because it opens as
// many inputs as it can.
std::uint64_t SortJob::most_run_files() const { return resolved_.options.merge_only ? 1 : free_descriptors() / 2; }

std::optional<std::uint64_t> SortJob::input_bytes() const { return reader_ ? reader_->total_bytes() : std::nullopt; }

// Whether runs have to be compressed to fit the scratch space. Throws Error if the sort cannot succeed.
bool SortJob::scratch_is_short(std::optional<std::uint64_t> sorted_bytes) {
  SortDemand demand{input_bytes(), sorted_bytes, plan_.run_bytes, checkpoint_ != nullptr};
  if (demand.run_bytes == 0 && !formers_.empty()) demand.run_bytes = formers_[0]->run_bytes();
  if (checkpoint_ && demand.input_bytes) *demand.input_bytes -= reader_->totals().bytes;  // its runs exist already
  PreflightNeeds needs = needs_of(resolved_, plan_, demand);
  needs.output_bytes = 0;  // its space is reserved by now, or cannot be
  const PreflightRoom room = survey_room(files_, scratch_, resolved_.options, needs);
  for (const PreflightFinding& finding : preflight(needs, room)) {
    if (finding.is_fatal) throw Error(finding.message);
    if (resolved_.options.warn) resolved_.options.warn(finding.message);
  }
  return needs.scratch_bytes + needs.scratch_bytes / 16 > room.scratch_bytes;
}

// Lets decorated lines refer to the input if they can and no GPU will sort: a GPU is fed by copying anyway.
void SortJob::leave_lines_in_place(const GpuAccess& gpus) {
  const auto bytes = estimate_input(resolved_, *reader_).bytes;
  if (decide_engine(resolved_.options, bytes, resolved_.threads, gpus).gpu) return;
  if (auto referring = refer_to_input(resolved_, *reader_)) resolved_.decorator = std::move(referring);
}

void SortJob::go_on_from_checkpoint() {
  checkpoint_->begin(identify_job(files_, resolved_), resolved_.input_format.text.random_seed);
  reader_->go_on_at(checkpoint_->end());
}

void SortJob::start(const GpuAccess& gpus) {
  ReadyEngines ready = start_engines(files_, resolved_, reader_.get(), gpus, observer_);
  engines_ = std::move(ready.engines);
  formers_ = std::move(ready.formers);
  plan_ = ready.plan;
  report_.engine_reason = std::move(ready.reason);
  report_.device_failure = std::move(ready.device_failure);
}

SortReport SortJob::run() {
  try {
    if (resolved_.options.merge_only) {
      merge_inputs();
    } else {
      form_and_merge();
    }
    check_output();
  } catch (const RecordTooLong& error) {
    check_input();  // throws if the input is damaged, as below
    if (engines_[0]->device_budget_bytes() == 0) throw;
    throw DeviceError(std::string(error.what()) + ", or use the CPU engine");
  } catch (const Error&) {
    check_input();  // throws if the input is damaged: that is the cause then
    throw;
  }
  return finish_output();
}

void SortJob::form_and_merge() {
  const auto begin = std::chrono::steady_clock::now();
  FormedRuns formed = form();
  dropped_ += formed.dropped;
  report_.runs = formed.direct ? (input_totals_.records > 0 ? 1 : 0) : formed.runs.size();
  report_.runs_spilled = formed.spilled;
  for (const Run& run : formed.runs) {
    report_.run_bytes += run.record_bytes;
    report_.stored_bytes += run.stored_bytes;
  }
  report_.formation_seconds = seconds_since(begin);

  const auto merge_begin = std::chrono::steady_clock::now();
  if (!formed.runs.empty()) merge_to_output(formed.runs);
  report_.merge_seconds = seconds_since(merge_begin);
}

void SortJob::merge_inputs() {
  const auto begin = std::chrono::steady_clock::now();
  const auto mergers = make_mergers();
  InputMerge merge(opener_, resolved_, order_, plan_, mergers, *store_, observer_,
                   [this](const Disorder& disorder) { warn_of_disorder(disorder); });
  const InputMerge::Summary summary = merge.merge([this](std::span<std::byte> records) {
    stage_->accept(records);
    stopped_early_ = stage_->is_full();
    return !stopped_early_;
  });
  input_totals_ = summary.tally.totals;
  dropped_ += summary.dropped;
  report_.runs = summary.tally.inputs;
  report_.merge_passes = summary.passes;
  report_.windows = summary.windows;
  report_.merge_seconds = seconds_since(begin);
}

// Checks that everything that went in has come out, before the output takes its place.
void SortJob::check_output() {
  stage_->finish();
  check_input();
  dropped_ += stage_->dropped();
  if (resolved_.options.verify && !stopped_early_) compare_totals(input_totals_, stage_->written(), dropped_);
}

void SortJob::warn_of_disorder(const Disorder& disorder) {
  stage_->expect_disorder();
  if (!resolved_.options.warn) return;
  resolved_.options.warn("input '" + escape_unprintable(disorder.input) + "' is not sorted: record " +
                         std::to_string(disorder.record) + " at offset " + std::to_string(disorder.offset) +
                         " is out of order; it is merged as it stands: sort it first");
}

FormedRuns SortJob::form() {
  observer_.begin_phase("forming runs", input_bytes().value_or(0));
  observer_.advance(reader_->totals().bytes);
  const auto formers = std::move(formers_);
  const auto decorating =
      decorate_records(*reader_, resolved_.decorator.get(), plan_.decoration, observer_, reader_->totals().bytes);
  PieceSource& records = decorating ? *decorating : *reader_;
  const auto top = select_top_records(records, resolved_, order_, plan_.selection_bytes, observer_);
  std::optional<RunJournal> journal;
  if (checkpoint_) journal.emplace(*checkpoint_, *reader_);
  FormedRuns formed = form_runs(
      top ? *top : records, formers, *store_,
      [this](std::span<std::byte> part) {
        check_input();
        stage_->accept(part);
      },
      observer_, journal ? &*journal : nullptr);
  input_totals_ = reader_->totals();
  if (top) dropped_ += top->dropped(input_totals_);
  report_.runs_resumed = taken_.runs.size();
  formed.runs.insert(formed.runs.begin(), std::move_iterator(taken_.runs.begin()),
                     std::move_iterator(taken_.runs.end()));
  formed.spilled += taken_.runs.size();
  formed.dropped += taken_.dropped;
  return formed;
}

void SortJob::merge_to_output(std::vector<Run>& runs) {
  RunMerging merging(
      {resolved_.options, order_, plan_, engines_, *store_, checkpoint_.get(), observer_, [this] { check_input(); }});
  merging.reduce_to_fan_in(runs);
  merging.merge(runs, [this](std::span<std::byte> records) {
    stage_->accept(records);
    return true;
  });
  report_.merge_passes += merging.passes();
  report_.windows += merging.windows();
  dropped_ += merging.dropped();
}

// Records may refer to the input even after it has been read. Throws Error if it is damaged.
void SortJob::check_input() {
  if (reader_) reader_->check();
}

// When the output is complete, lack of memory is no failure any more without a checkpoint, and other errors must say
// that the output is complete.
SortReport SortJob::finish_output() {
  SortReport nearly_all = report();
  {
    const auto span = observer_.span("finish output");
    output_->finish();
  }
  try {
    if (checkpoint_) finish_checkpoint();
    observer_.finish();
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
  if (!left.empty() && resolved_.options.warn) resolved_.options.warn(left);
}

SortReport SortJob::report() const {
  SortReport report = report_;
  report.engine = std::string(engines_[0]->name());
  report.input_records = input_totals_.records;
  report.input_bytes = input_totals_.bytes;
  report.output_records = stage_->written().records;
  report.output_bytes = stage_->written().bytes;
  report.verified = resolved_.options.verify && !stopped_early_;
  if (report.verified) report.checksum = input_totals_.checksum;
  report.scratch_peak_bytes = store_->scratch_peak_bytes();
  report.memory_budget_bytes = resolved_.memory_bytes;
  report.device_budget_bytes = device_budget_bytes();
  report.devices = report.device_budget_bytes == 0 ? 0 : static_cast<unsigned>(engines_.size());
  observer_.describe(report);
  return report;
}

}  // namespace sortie
