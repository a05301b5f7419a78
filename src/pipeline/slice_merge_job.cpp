#include "pipeline/slice_merge_job.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/system_limits.hpp"
#include "io/output/checksummed_output.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/open_output.hpp"
#include "io/output/range_output.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/output/prefixed_outputs.hpp"
#include "pipeline/runs/run_location.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "pipeline/shard/run_slices.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

RecordForm form_of_range(const SharedSort& sort, const SlicePlan& plan) {
  const bool is_last_sort = sort.form == RecordForm::kPlain && !plan.writes_payloads;
  const bool is_framed = plan.for_files && is_last_sort && parts_need_frames(sort.options, sort.options.format);
  return is_framed ? RecordForm::kFramed : sort.form;
}

[[noreturn]] void refuse_plan(const std::string& why) {
  throw Error("the slices of the plan cannot be merged: " + why + "; make bounds, cuts and the plan anew");
}

}  // namespace

ShardTotals totals_of(const std::vector<RunSlicePlan>& slices) {
  ShardTotals totals;
  for (const RunSlicePlan& slice : slices) {
    totals.records += slice.end.records - slice.begin.records;
    totals.bytes += slice.end.output_bytes - slice.begin.output_bytes;
  }
  return totals;
}

// The second sort of records knows nothing of their header, which it writes.
SliceMergeJob::SliceMergeJob(FileSystem& files, const SharedSort& sort, const SlicePlan& plan,
                             std::optional<std::uint64_t> offset)
    : JobAttempt(files, sort.options, this_machine()), slices_(plan), offset_(offset), input_(totals_of(plan.slices)) {
  const std::string_view header = plan.writes_payloads ? std::string_view() : plan.header;
  spec_ = resolve(sort.options, std::as_bytes(std::span(header)), form_of_range(sort, plan));
}

SliceMergeJob::SliceMergeJob(FileSystem& files, const SortOptions& options, const SlicePlan& plan, Observer& observer)
    : JobAttempt(files, options, this_machine()), slices_(plan), input_(totals_of(plan.slices)) {
  observer_ = &observer;
  spec_ = resolve(options, std::as_bytes(std::span(plan.header)), RecordForm::kKeyed);
}

SliceReport SliceMergeJob::run() {
  if (observer_ == nullptr) observer_ = (own_observer_ = open_observer(files_, options_, true)).get();
  scratch_.emplace(files_, job_options().scratch_directories);
  std::uint64_t bytes = 0;
  for (const RunSlicePlan& slice : slices_.slices) bytes += slice.end.bytes - slice.begin.bytes;
  InputSizes sizes;
  sizes.bytes = input_.bytes;
  sizes.sorted = {bytes, input_.records == 0 ? 0 : bytes / input_.records, 0};
  sizes.budget = memory_budget(spec(), bytes);
  open_output(sizes.budget);
  start(EngineUse::kMerge, sizes);
  open_store({.most_files = free_descriptors() / 4}, {});
  open_stage(*output_, shown_header(), false, slices_.most_records);
  merge_slices();
  stage_->finish();
  const ShardTotals dropped = totals_dropped();
  finish_output(*output_, *observer_);
  after_output([&] { observer_->finish(); });
  return {.identity = to_string(identify_options(spec())),
          .input = input_,
          .output = shard_totals(stage_->written()),
          .dropped = dropped,
          .grouped = shard_totals(stage_->grouped()),
          .passed_on = shard_totals(passed_on_),
          .file_bytes = file_checksum_.bytes(),
          .file_checksum = file_checksum_.value(),
          .is_framed = spec().form == RecordForm::kFramed || (slices_.for_files && slices_.writes_payloads),
          .begins = std::move(begins_)};
}

// Behind positions no header comes: it is for the second sort to write.
std::span<const std::byte> SliceMergeJob::shown_header() const {
  if (!slices_.writes_header || slices_.for_files || slices_.writes_payloads ||
      spec().form == RecordForm::kPositioned) {
    return {};
  }
  return std::as_bytes(std::span(spec().group_text ? spec().group_header : slices_.header));
}

void SliceMergeJob::merge_slices() {
  std::vector<Run> runs = open_slices();
  if (runs.empty()) return;
  bool is_first = true;
  merge_runs(std::move(runs), [&](std::span<std::byte> records) {
    if (std::exchange(is_first, false)) check_first(first_record(spec().codec->order().layout(), records));
    check_last(last_record(spec().codec->order().layout(), records));
    stage_->accept(records);
    observer_->advance(records.size());
    outcome_.stopped_early = stage_->is_full();
    return !outcome_.stopped_early;
  });
}

void SliceMergeJob::open_output(const MemoryBudget& budget) {
  if (offset_) {
    if (packed_format(job_options()) != CompressionFormat::kNone) {
      throw Error("-o: a file that is packed has no ranges: leave its suffix, or the offset, out");
    }
    output_ = std::make_unique<RangeOutput>(files_, job_options().output, *offset_);
  } else {
    output_ = sortie::open_output(files_, job_options().output, kNotPacked, job_options().temporary_names,
                                  job_options().scratch_directories);
    if (spec().form == RecordForm::kKeyed) return;  // no file
  }
  output_ = compress_output(std::make_unique<ChecksummedOutput>(std::move(output_), file_checksum_),
                            packed_format(job_options()), packing_of(spec(), budget));
  if (slices_.writes_payloads) {
    if (slices_.writes_header && !slices_.for_files) output_->write(std::as_bytes(std::span(slices_.header)));
    output_ = std::make_unique<PayloadOutput>(std::move(output_), EntryBegins(slices_.entry_start, begins_),
                                              slices_.for_files);
  } else if (spec().form == RecordForm::kPositioned) {
    output_ = std::make_unique<TalliedOutput>(std::move(output_), passed_on_, job_options().verify);
  }
}

std::vector<Run> SliceMergeJob::open_slices() {
  const auto usage = std::make_shared<StoreUsage>();
  const auto open_files = std::make_shared<OpenRunFiles>(free_descriptors() / 2);
  std::vector<Run> runs;
  std::optional<std::uint64_t> last;
  for (const RunSlicePlan& slice : slices_.slices) {
    if (last && slice.run <= *last) refuse_plan("their runs are not in order");
    last = slice.run;
    const auto meter = std::make_shared<RunUsage>(usage, *observer_);
    runs.push_back(open_slice(files_, spec(), spec().codec->order(), slice, open_files, meter));
  }
  return runs;
}

void SliceMergeJob::check_first(Record record) const {
  if (!slices_.begin || spec().codec->order().compare(record, record_of(*slices_.begin)) >= 0) return;
  refuse_plan("the first record comes before the bound in front of them");
}

void SliceMergeJob::check_last(Record record) const {
  if (!slices_.end) return;
  const int order = spec().codec->order().compare(record, record_of(*slices_.end));
  if (order < 0 || (order == 0 && slices_.end->run >= 0)) return;
  refuse_plan("a record comes behind the bound behind them");
}

// A merge that had its first records has not read the others: those are told without a checksum.
ShardTotals SliceMergeJob::totals_dropped() const {
  const RecordTotals dropped = outcome_.dropped + stage_->dropped();
  const RecordTotals& written = stage_->written();
  if (spec().group_text) return totals_of_groups();
  if (outcome_.stopped_early) return {input_.records - written.records, input_.bytes - written.bytes, {}};
  if (written.records + dropped.records != input_.records || written.bytes + dropped.bytes != input_.bytes) {
    refuse_plan("they should have " + std::to_string(input_.records) + " records, and " +
                std::to_string(written.records + dropped.records) + " came out");
  }
  return shard_totals(dropped);
}

// States know of how many bytes of records they were made, and none is dropped.
ShardTotals SliceMergeJob::totals_of_groups() const {
  if (!outcome_.stopped_early && stage_->grouped().bytes != input_.bytes) {
    refuse_plan("their groups should have " + std::to_string(input_.bytes) + " bytes of records, and " +
                std::to_string(stage_->grouped().bytes) + " came out");
  }
  return {};
}

}  // namespace sortie
