#include "pipeline/sort_job.hpp"

#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "pipeline/decorating_reader.hpp"
#include "pipeline/engine_start.hpp"
#include "pipeline/final_merge.hpp"
#include "pipeline/merge_passes.hpp"
#include "pipeline/presorted_runs.hpp"
#include "pipeline/top_records.hpp"
#include "pipeline/window_plan.hpp"

namespace sortie {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

SortJob::SortJob(FileSystem& files, const SortOptions& options, const GpuAccess& gpus)
    : files_(files),
      opener_(files, options),
      resolved_(resolve(options, opener_.find_header())),
      order_(resolved_.options.format),
      observer_(options.progress, options.trace_path),
      scratch_(files, options.scratch_directories) {
  const SortOptions& wanted = resolved_.options;
  if (!wanted.merge_only) {
    reader_ = std::make_unique<RecordReader>(opener_, wanted.inputs, resolved_.input_format, wanted.verify, observer_);
  }
  output_ = open_output(files_, wanted.output, wanted.unpack);
  if (reader_ && output_->waits_for_reader()) reader_->copy_only();
  if (input_bytes() && !wanted.unique && wanted.top_records == 0) {
    output_->expect(*input_bytes() + opener_.header().size());
  }
  start(gpus);
  const std::optional<std::uint64_t> bytes = reader_ ? estimate_input(resolved_, *reader_).bytes : std::nullopt;
  const bool scratch_is_short = bytes && *bytes + *bytes / 16 > plan_.store_bytes + scratch_.free_bytes();
  compression_ = std::make_unique<CompressionPolicy>(wanted, scratch_is_short);
  store_ = std::make_unique<RunStore>(
      wanted.format, order_, scratch_, *compression_,
      RunStore::Options{plan_.store_bytes, plan_.block_bytes, wanted.unique && !resolved_.needs_groups(), wanted.verify,
                        bytes.value_or(0), resolved_.decorator.get()},
      observer_, pinner());
  stage_ = std::make_unique<OutputStage>(wanted.format, order_, *output_,
                                         OutputStage::Options{wanted.unique, wanted.verify, resolved_.keeps_last,
                                                              wanted.count, wanted.top_records, opener_.header()},
                                         observer_, resolved_.decorator.get());
}

std::optional<std::uint64_t> SortJob::input_bytes() const { return reader_ ? reader_->total_bytes() : std::nullopt; }

void SortJob::start(const GpuAccess& gpus) {
  ReadyEngines ready = start_engines(files_, resolved_, reader_.get(), gpus, observer_);
  engines_ = std::move(ready.engines);
  formers_ = std::move(ready.formers);
  plan_ = ready.plan;
  report_.engine_reason = std::move(ready.reason);
  report_.device_failure = std::move(ready.device_failure);
}

SortReport SortJob::run() {
  const auto begin = std::chrono::steady_clock::now();
  FormedRuns formed = form();
  report_.formation_seconds = seconds_since(begin);

  const auto merge_begin = std::chrono::steady_clock::now();
  if (!formed.runs.empty()) {
    reduce_to_fan_in(formed.runs);
    merge_to_output(formed.runs);
  }
  report_.merge_seconds = seconds_since(merge_begin);

  finish_output();
  return report();
}

FormedRuns SortJob::form() {
  FormedRuns formed;
  if (resolved_.options.merge_only) {
    observer_.begin_phase("reading sorted inputs", 0);
    formed = take_presorted_runs(files_, opener_, resolved_, plan_, *store_, input_totals_, observer_);
  } else {
    observer_.begin_phase("forming runs", input_bytes().value_or(0));
    const auto formers = std::move(formers_);
    const auto decorating = decorate_records(*reader_, resolved_.decorator.get(), plan_.decoration, observer_);
    PieceSource& records = decorating ? *decorating : *reader_;
    const auto top = select_top_records(records, resolved_, order_, plan_.selection_bytes, observer_);
    formed = form_runs(
        top ? *top : records, formers, *store_, [this](std::span<std::byte> part) { stage_->accept(part); }, observer_);
    input_totals_ = reader_->totals();
    if (top) dropped_ += top->dropped(input_totals_);
  }
  dropped_ += formed.dropped;
  report_.runs = formed.direct ? (input_totals_.records > 0 ? 1 : 0) : formed.runs.size();
  report_.runs_spilled = formed.spilled;
  for (const Run& run : formed.runs) {
    report_.run_bytes += run.record_bytes;
    report_.stored_bytes += run.stored_bytes;
  }
  return formed;
}

// Merges neighbouring runs into longer ones until one more pass can take all.
void SortJob::reduce_to_fan_in(std::vector<Run>& runs) {
  while (true) {
    const std::uint64_t fan_in = limited_fan_in(max_fan_in(plan_.arena_bytes, largest_blocks(runs)), resolved_.options);
    if (runs.size() <= fan_in) return;
    observer_.begin_phase("merging runs into runs", 0);
    const auto mergers = make_mergers();
    RunMerge merge(order_, mergers, plan_, observer_, pinner());
    std::vector<Run> next;
    std::size_t taken = 0;
    for (const MergeGroup& group : plan_merge_pass(runs.size(), fan_in)) {
      std::uint64_t bytes = 0;
      for (std::size_t i = group.begin; i < group.end; ++i) bytes += runs[i].record_bytes;
      const std::unique_ptr<RunSink> sink = store_->begin_run(bytes);
      const std::span<Run> members = std::span(runs).subspan(group.begin, group.end - group.begin);
      report_.windows += merge.merge(members, [&](std::span<std::byte> records) { sink->append(records); });
      next.push_back(sink->finish());
      dropped_ += sink->dropped();
      for (Run& run : members) run = Run();
      taken = group.end;
    }
    std::move(runs.begin() + static_cast<std::ptrdiff_t>(taken), runs.end(), std::back_inserter(next));
    runs = std::move(next);
    ++report_.merge_passes;
  }
}

void SortJob::merge_to_output(std::vector<Run>& runs) {
  std::uint64_t bytes = 0;
  for (const Run& run : runs) bytes += run.record_bytes;
  observer_.begin_phase("merging", bytes);
  const auto mergers = make_mergers();
  RunMerge merge(order_, mergers, plan_, observer_, pinner());
  report_.windows += merge.merge(runs, [this](std::span<std::byte> records) { stage_->accept(records); });
  ++report_.merge_passes;
}

std::vector<std::unique_ptr<WindowMerger>> SortJob::make_mergers() {
  std::vector<std::unique_ptr<WindowMerger>> mergers;
  for (const auto& engine : engines_) {
    mergers.push_back(engine->make_window_merger({plan_.merger_bytes, plan_.arena_bytes}));
  }
  return mergers;
}

// What one device has pinned serves all. There is nothing to pin for an engine whose records stay on the host.
MemoryPinner SortJob::pinner() const {
  if (engines_[0]->device_budget_bytes() == 0) return {};
  return [engine = engines_[0].get()](std::span<std::byte> memory) { return engine->pin(memory); };
}

void SortJob::finish_output() {
  stage_->finish();
  dropped_ += stage_->dropped();
  if (resolved_.options.verify) compare_totals(input_totals_, stage_->written(), dropped_);
  {
    const auto span = observer_.span("finish output");
    output_->finish();
  }
  observer_.finish();
}

SortReport SortJob::report() const {
  SortReport report = report_;
  report.engine = std::string(engines_[0]->name());
  report.input_records = input_totals_.records;
  report.input_bytes = input_totals_.bytes;
  report.output_records = stage_->written().records;
  report.output_bytes = stage_->written().bytes;
  report.verified = resolved_.options.verify;
  report.checksum = input_totals_.checksum;
  report.scratch_peak_bytes = store_->scratch_peak_bytes();
  report.memory_budget_bytes = resolved_.memory_bytes;
  report.device_budget_bytes = engines_[0]->device_budget_bytes();
  report.devices = report.device_budget_bytes == 0 ? 0 : static_cast<unsigned>(engines_.size());
  observer_.describe(report);
  return report;
}

}  // namespace sortie
