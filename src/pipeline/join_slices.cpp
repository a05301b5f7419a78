// A part of a join by several processes: merges the slices of each side, and joins what comes out.
//
//   left slices  ──▶ merge ──▶ keyed records ─┐
//                                             ├─▶ merge join ──▶ rows ──▶ part of the output
//   right slices ──▶ merge ──▶ keyed records ─┘
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <sortie/byte_checksum.hpp>
#include <sortie/error.hpp>
#include <sortie/join_shards.hpp>

#include "io/files/scratch.hpp"
#include "io/output/checksummed_output.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/open_output.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/job_attempt.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/join/join_plan.hpp"
#include "pipeline/join/keyed_stream.hpp"
#include "pipeline/join/merge_join.hpp"
#include "pipeline/join/refused_record.hpp"
#include "pipeline/join/repeated_group.hpp"
#include "pipeline/join/row_shaper.hpp"
#include "pipeline/join/row_writer.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/options_check.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/shard/cut_file.hpp"
#include "pipeline/shard/run_slices.hpp"
#include "pipeline/side_thread.hpp"
#include "pipeline/slice_merge_job.hpp"
#include "record/record_totals.hpp"

namespace sortie {
namespace {

/// The plan of one side, whose header comes in front of its records.
SlicePlan plan_of_side(const JoinSlicePlan& plan, JoinSide side) {
  const bool is_right = side == JoinSide::kRight;
  SlicePlan own = plan.slices;
  std::erase_if(own.slices, [&](const RunSlicePlan& slice) { return (slice.run >= plan.first_right_run) != is_right; });
  if (is_right) own.header = plan.right_header;
  own.writes_header = true;
  return own;
}

ShardTotals sum_of(const ShardTotals& left, const ShardTotals& right) {
  const auto totals = [](const ShardTotals& side) { return RecordTotals{side.records, side.bytes, side.checksum}; };
  return shard_totals(totals(left) + totals(right));
}

/// One attempt.
class JoinSlicesJob {
 public:
  /// References must outlive this.
  JoinSlicesJob(FileSystem& files, const JoinOptions& options, const JoinSlicePlan& plan)
      : files_(files),
        options_(options),
        plan_(plan),
        left_plan_(plan_of_side(plan, JoinSide::kLeft)),
        right_plan_(plan_of_side(plan, JoinSide::kRight)),
        join_plan_(
            plan_join_of_slices(options, totals_of(left_plan_.slices).bytes, totals_of(right_plan_.slices).bytes)) {}

  /// Call once. Throws Error.
  SliceReport run();

  bool has_written() const { return true; }                // nobody knows when the first row was
  std::uint64_t device_budget_bytes() const { return 0; }  // that of its merges is not known here

 private:
  SliceReport join();
  std::unique_ptr<Output> open_part();
  RowShaper shaper_of(const KeyedStream& left, const KeyedStream& right) const;

  FileSystem& files_;
  const JoinOptions options_;
  const JoinSlicePlan& plan_;
  const SlicePlan left_plan_;
  const SlicePlan right_plan_;
  const JoinPlan join_plan_;
  ByteChecksum file_checksum_;
};

SliceReport JoinSlicesJob::run() try { return join(); } catch (const RefusedRecord& refused) {
  throw with_position(refused, files_, refused.is_right() ? join_plan_.right : join_plan_.left);
}

std::unique_ptr<Output> JoinSlicesJob::open_part() {
  const SortOptions& sort = options_.sort;
  std::unique_ptr<Output> file =
      open_output(files_, sort.output, kNotPacked, sort.temporary_names, sort.scratch_directories);
  return compress_output(std::make_unique<ChecksummedOutput>(std::move(file), file_checksum_), packed_format(sort),
                         packing_of(join_plan_.whole, join_plan_.budget));
}

// A part may lack the first record of a side: the plan tells it.
RowShaper JoinSlicesJob::shaper_of(const KeyedStream& left, const KeyedStream& right) const {
  const auto begin_of_whole = [](const KeyedStream& records, const std::optional<std::string>& first) {
    return InputBegin{records.header(), first ? std::optional<std::string_view>(*first) : std::nullopt};
  };
  return make_row_shaper(options_, join_plan_.left.format, join_plan_.right.format,
                         begin_of_whole(left, plan_.first_left), begin_of_whole(right, plan_.first_right));
}

// What comes first is destroyed last: merges that are not done write to the observer, and the output to the checksum.
SliceReport JoinSlicesJob::join() {
  const std::unique_ptr<Observer> own_observer = open_observer(files_, options_.sort, true, "join");
  Observer& observer = *own_observer;
  observer.begin_phase("joining", 0);
  ScratchSpace scratch(files_, options_.sort.scratch_directories);
  const std::unique_ptr<Output> output = open_part();
  SliceReport left_report;
  SliceReport right_report;
  const auto merge_into = [](const SlicePlan& plan, SliceReport& report) {
    return [&plan, &report](FileSystem& files, const SortOptions& options, Observer& observer_of_side) {
      report = SliceMergeJob(files, options, plan, observer_of_side).run();
      return SortReport();
    };
  };
  const std::size_t waiting = join_plan_.limits.queue_bytes;
  SideThread left_side(files_, join_plan_.left, waiting, {observer, "left slices", {}},
                       merge_into(left_plan_, left_report));
  SideThread right_side(files_, join_plan_.right, waiting, {observer, "right slices", {}},
                        merge_into(right_plan_, right_report));
  KeyedStream& left = left_side.records();
  KeyedStream& right = right_side.records();
  left.next();
  right.next();
  RowShaper shaper = shaper_of(left, right);
  RepeatedGroup group(scratch, join_plan_.limits.group_bytes, observer);
  RowWriter writer(*output, observer);
  if (plan_.slices.writes_header) {
    const std::string header = shaper.header(without_mark(left.header()), without_mark(right.header()));
    if (!header.empty()) writer.writer().write(std::as_bytes(std::span(header)));
  }
  MergeJoin merge(options_.kind, left, right, shaper, group, [&](std::string_view rows) { writer.begin(rows); });
  writer.writer().wait_after([&] { merge.run(); });
  finish_output(*output, observer);
  after_output([&] { observer.finish(); });
  return {.identity = left_report.identity + right_report.identity,
          .input = sum_of(left_report.output, right_report.output),
          .output = {.records = merge.row_count(), .bytes = writer.row_bytes(), .checksum = {}},
          .dropped = {},
          .grouped = {},
          .passed_on = {},
          .file_bytes = file_checksum_.bytes(),
          .file_checksum = file_checksum_.value()};
}

}  // namespace

SliceReport join_slices(const JoinOptions& options, const JoinSlicePlan& given) try {
  const JobSite site(options.sort);
  validate(options);
  refuse_what_processes_cannot(options.sort);
  JoinSlicePlan plan = given;
  if (plan.slices.source) plan.slices.slices = read_slices(site.files(), *plan.slices.source);
  SortOptions all_files = site.options();
  for (const RunSlicePlan& slice : plan.slices.slices) all_files.protected_files.push_back(slice.path);
  refuse_shared_targets_of_sort(site.files(), all_files);
  Attempts attempts(site.files(), site.options(), Attempts::Inputs::kStay);
  return execute<JoinSlicesJob>(attempts, [&](std::optional<JoinSlicesJob>& job) {
    attempts.warn_of_failure();
    JoinOptions chosen = options;
    chosen.sort = attempts.options();
    return job.emplace(site.files(), chosen, plan).run();
  });
} catch (...) {
  rethrow_as_error();
}

}  // namespace sortie
