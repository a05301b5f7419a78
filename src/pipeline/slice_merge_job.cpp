#include "pipeline/slice_merge_job.hpp"

#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "io/output/checksummed_output.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/range_output.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/run_merging.hpp"
#include "pipeline/runs/compression_policy.hpp"
#include "pipeline/runs/run_place.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/job_setup.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/shard/run_slices.hpp"
#include "pipeline/shard/shard_totals.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

[[noreturn]] void refuse_plan(const std::string& why) {
  throw Error("the slices of the plan cannot be merged: " + why + "; make bounds, cuts and the plan anew");
}

ShardTotals totals_of(const std::vector<RunSlicePlan>& slices) {
  ShardTotals totals;
  for (const RunSlicePlan& slice : slices) {
    totals.records += slice.end.records - slice.begin.records;
    totals.bytes += slice.end.output_bytes - slice.begin.output_bytes;
  }
  return totals;
}

}  // namespace

SliceMergeJob::SliceMergeJob(FileSystem& files, const SortOptions& options, const SlicePlan& plan,
                             std::optional<std::uint64_t> offset, Machine machine)
    : files_(files),
      slices_(plan),
      machine_(std::move(machine)),
      resolved_(resolve(options, std::as_bytes(std::span(plan.header)))),
      order_(resolved_.options.format),
      input_(totals_of(plan.slices)),
      observer_(options.progress, open_report(files, options.trace_path, options), options.watch),
      scratch_(files, options.scratch_directories) {
  observer_.name_thread("reader");
  std::uint64_t bytes = 0;
  for (const RunSlicePlan& slice : plan.slices) bytes += slice.end.bytes - slice.begin.bytes;
  facts_.bytes = input_.bytes;
  facts_.sorted = {bytes, input_.records == 0 ? 0 : bytes / input_.records, 0};
  set_budget(resolved_, bytes);
  plan_ = plan_job(resolved_, facts_, machine_);
  open_output(offset);
}

SliceReport SliceMergeJob::run() {
  start_engines();
  open_store();
  std::vector<Run> runs = open_slices();
  RunMerging merging({wanted(), order_, plan_.memory, engines_, *store_, nullptr, observer_});
  merging.reduce_to_fan_in(runs);
  bool is_first = true;
  const auto consume = [&](std::span<std::byte> records) {
    if (std::exchange(is_first, false)) check_first(first_record(order_.layout(), records));
    check_last(last_record(order_.layout(), records));
    stage_->accept(records);
    observer_.advance(records.size());
    stopped_early_ = stage_->is_full();
    return !stopped_early_;
  };
  if (!runs.empty()) merging.merge(runs, consume);
  stage_->finish();
  const ShardTotals dropped = totals_dropped(merging.dropped());
  observer_.end_watch();
  throw_if_stopped();
  output_->finish();
  observer_.finish();
  return {to_string(identify_options(resolved_)),
          input_,
          shard_totals(stage_->written()),
          dropped,
          file_checksum_.bytes(),
          file_checksum_.value()};
}

void SliceMergeJob::start_engines() {
  const auto span = observer_.span("start engine");
  ChosenEngines chosen = plan_.engine.gpu
                             ? machine_.gpus().start(wanted(), plan_.engine, plan_.demand, resolved_.threads, observer_)
                             : cpu_engine(wanted(), plan_.engine.reason);
  engines_ = std::move(chosen.engines);
  replan(plan_, resolved_, facts_, {engines_[0]->forms_runs_on_host(), static_cast<unsigned>(engines_.size())});
}

void SliceMergeJob::open_store() {
  const MemoryPlan& memory = plan_.memory;
  RunStore::Options options;
  options.memory_bytes = memory.store_bytes;
  options.block_bytes = memory.merge.block_bytes;
  options.most_block_bytes = memory.most_block_bytes;
  options.index_step_bytes = memory.index_step_bytes;
  options.repeats = resolved_.repeats_in_runs();
  options.verify = wanted().verify;
  options.decorator = resolved_.decorator.get();
  options.most_files = free_descriptors() / 4;
  store_ = std::make_unique<RunStore>(wanted().format, order_, scratch_,
                                      std::make_unique<CompressionPolicy>(wanted(), CompressionPolicy::Scratch{}),
                                      options, observer_, pinner_of(engines_));
}

void SliceMergeJob::open_output(std::optional<std::uint64_t> offset) {
  if (offset) {
    if (packed_format(wanted()) != CompressionFormat::kNone) {
      throw Error("-o: a file that is packed has no ranges: leave its suffix, or the offset, out");
    }
    output_ = std::make_unique<RangeOutput>(files_, wanted().output, *offset);
  } else {
    output_ = sortie::open_output(files_, wanted().output, kNotPacked, wanted().temporary_names,
                                  wanted().scratch_directories);
  }
  output_ = compress_output(std::make_unique<ChecksummedOutput>(std::move(output_), file_checksum_),
                            packed_format(wanted()), packing_of(resolved_));
  const std::string_view header = slices_.writes_header ? std::string_view(slices_.header) : std::string_view();
  OutputOptions options = output_options(resolved_);
  options.header = std::as_bytes(std::span(header));
  options.scratch = &scratch_;
  options.tie_bytes = plan_.memory.decoration.tie_bytes;
  options.part_bytes = plan_.memory.part_bytes;
  stage_ =
      std::make_unique<OutputStage>(wanted().format, order_, *output_, options, observer_, resolved_.decorator.get());
}

std::vector<Run> SliceMergeJob::open_slices() {
  const auto usage = std::make_shared<StoreUsage>();
  const auto open_files = std::make_shared<OpenRunFiles>(free_descriptors() / 2);
  std::vector<Run> runs;
  std::optional<std::uint64_t> last;
  for (const RunSlicePlan& slice : slices_.slices) {
    if (last && slice.run <= *last) refuse_plan("their runs are not in order");
    last = slice.run;
    const auto meter = std::make_shared<RunUsage>(usage, observer_);
    runs.push_back(open_slice(files_, resolved_, order_, slice, open_files, meter));
  }
  return runs;
}

void SliceMergeJob::check_first(Record record) const {
  if (!slices_.begin || order_.compare(record, record_of(*slices_.begin)) >= 0) return;
  refuse_plan("the first record comes before the bound in front of them");
}

void SliceMergeJob::check_last(Record record) const {
  if (!slices_.end) return;
  const int order = order_.compare(record, record_of(*slices_.end));
  if (order < 0 || (order == 0 && slices_.end->run >= 0)) return;
  refuse_plan("a record comes behind the bound behind them");
}

// A merge that had its first records has not read the others: those are told without a checksum.
ShardTotals SliceMergeJob::totals_dropped(RecordTotals dropped) const {
  dropped += stage_->dropped();
  const RecordTotals& written = stage_->written();
  if (stopped_early_) return {input_.records - written.records, input_.bytes - written.bytes, {}};
  if (written.records + dropped.records != input_.records || written.bytes + dropped.bytes != input_.bytes) {
    refuse_plan("they should have " + std::to_string(input_.records) + " records, and " +
                std::to_string(written.records + dropped.records) + " came out");
  }
  return shard_totals(dropped);
}

}  // namespace sortie
