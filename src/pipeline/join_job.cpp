#include "pipeline/join_job.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/thread_team.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "observe/assumptions.hpp"
#include "observe/observer.hpp"
#include "pipeline/join/join_input.hpp"
#include "pipeline/join/merge_join.hpp"
#include "pipeline/join/refused_record.hpp"
#include "pipeline/join/repeated_group.hpp"
#include "pipeline/join_side.hpp"
#include "pipeline/output/part_writer.hpp"
#include "pipeline/runs/ordered_pass.hpp"
#include "pipeline/setup/job_setup.hpp"
#include "pipeline/setup/page_facts.hpp"
#include "pipeline/setup/sort_files.hpp"

namespace sortie {
namespace {

/// Knows what the whole join does, and how far it is.
class JoinObserver {
 public:
  JoinObserver(FileSystem& files, const SortOptions& options)
      : observer_(options.progress, open_report(files, options.trace_path, options), options.watch) {
    if (!options.report_path.empty()) observer_.keep_timeline();
    if (!assumes_year(options)) observer_.assumptions().settle(GuessKind::kAssumedYear);
    observer_.name_thread("join");
    observer_.begin_phase("sorting both inputs", file_bytes(options.inputs).value_or(0));
  }

  Observer& whole() { return observer_; }

  /// From now on the rows that are written tell how far the join is.
  void begin_joining() {
    is_joining_ = true;
    observer_.begin_phase("joining", 0);
  }

  /// Takes the progress of one of the sorts.
  std::function<void(const Progress&)> watch_of_side() {
    return [this, done = std::uint64_t{0}](const Progress& progress) mutable {
      const bool reads = progress.phase == "forming runs" || progress.phase == "passing lines on";
      if (is_joining_ || !reads || progress.done_bytes <= done) return;
      observer_.advance(progress.done_bytes - done);
      done = progress.done_bytes;
    };
  }

 private:
  Observer observer_;
  std::atomic<bool> is_joining_ = false;
};

/// Writes rows while others are made.
class RowWriter {
 public:
  RowWriter(Output& output, JoinObserver& observer) : observer_(observer), writer_(output, observer.whole()) {}

  void write_header(const std::string& header) {
    if (!header.empty()) writer_.write(std::as_bytes(std::span(header)));
  }

  /// `rows` must stay as they are until the next call returns.
  void begin(std::string_view rows) {
    if (row_bytes_ == 0) observer_.begin_joining();
    row_bytes_ += rows.size();
    observer_.whole().advance(rows.size());
    {
      const auto span = observer_.whole().span("wait for writer");
      writer_.wait();
    }
    writer_.begin(std::as_bytes(std::span(rows)));
  }

  template <class Work>
  void wait_after(const Work& work) {
    writer_.wait_after(work);
  }

  std::uint64_t row_bytes() const { return row_bytes_; }

 private:
  JoinObserver& observer_;
  PartWriter writer_;
  std::uint64_t row_bytes_ = 0;
};

bool output_can_be_begun_anew(FileSystem& files, const SortOptions& options) {
  if (options.output == "-") return false;
  const FileStatus::Kind kind = files.status(options.output).kind;
  return kind == FileStatus::Kind::kRegular || kind == FileStatus::Kind::kMissing;
}

}  // namespace

JoinJob::JoinJob(FileSystem& files, const JoinOptions& options, std::uint64_t least_passed_bytes)
    : files_(files), options_(options), least_passed_bytes_(least_passed_bytes), setup_(set_up_join(options)) {}

JoinReport JoinJob::run() {
  refuse_shared_targets_of_sort(files_, options_.sort);
  const ReportFiles reports(files_, options_.sort);
  bool ordered_lines_pass =
      output_can_be_begun_anew(files_, options_.sort) && inputs_can_be_read_again(files_, options_.sort);
  while (true) {
    ++attempts_;
    try {
      JoinReport report = attempt(ordered_lines_pass);
      reports.write(report, page_);
      return report;
    } catch (const NeedsRuns&) {
      ordered_lines_pass = false;
    } catch (const RefusedRecord& refused) {
      throw with_place(refused, files_, refused.is_right() ? setup_.right : setup_.left);
    }
  }
}

// What comes first is destroyed last: sorts that are not done write to the observer.
JoinReport JoinJob::attempt(bool ordered_lines_pass) {
  const SortOptions& sort = options_.sort;
  const std::unique_ptr<Output> output =
      open_output(files_, sort.output, packing_of(setup_.whole), sort.temporary_names, sort.scratch_directories);
  JoinObserver observer(files_, sort);
  Observer& whole = observer.whole();
  ScratchSpace scratch(files_, sort.scratch_directories);
  const JoinSide::Terms terms{ordered_lines_pass, least_passed_bytes_, setup_.shares.hand_over_bytes};
  JoinSide left_side(files_, setup_.left, terms, {whole, "left input", observer.watch_of_side()});
  JoinSide right_side(files_, setup_.right, terms, {whole, "right input", observer.watch_of_side()});
  KeyedStream& left = left_side.records();
  KeyedStream& right = right_side.records();
  left.next();
  right.next();
  RowShaper shaper = shaper_of(left, right);
  RepeatedGroup group(scratch, setup_.shares.group_bytes, whole);
  RowWriter writer(*output, observer);
  writer.write_header(shaper.header(without_mark(left.header()), without_mark(right.header())));
  MergeJoin merge(options_.kind, left, right, shaper, group, [&](std::string_view rows) { writer.begin(rows); });
  writer.wait_after([&] {
    const auto span = whole.span("join");
    merge.run();
  });
  JoinReport report = report_of(left_side.report(), right_side.report());
  report.output_records = merge.row_count();
  report.output_bytes = writer.row_bytes();
  finish(*output, whole, report);
  return report;
}

RowShaper JoinJob::shaper_of(const KeyedStream& left, const KeyedStream& right) const {
  const JoinInput left_input = describe_input(setup_.left.format, left);
  const JoinInput right_input = describe_input(setup_.right.format, right);
  return RowShaper(options_.sort.format, plan_rows(options_, left_input, right_input), style_of(options_, left, right),
                   left_input, right_input);
}

JoinReport JoinJob::report_of(const SortReport& left, const SortReport& right) const {
  JoinReport report;
  report.left = left;
  report.right = right;
  report.runs_spilled = left.runs_spilled + right.runs_spilled;
  report.merge_passes = std::max(left.merge_passes, right.merge_passes);
  report.memory_budget_bytes = setup_.whole.memory_bytes;
  return report;
}

// When the output is complete, lack of memory is no failure any more, and other errors must say that it is complete.
void JoinJob::finish(Output& output, Observer& observer, JoinReport& report) {
  observer.describe(report);
  observer.end_watch();
  throw_if_stopped();
  {
    const auto span = observer.span("finish output");
    output.finish();
  }
  if (ThreadTeam* const team = ThreadTeam::current()) team->ignore_stops();
  try {
    observer.finish();
    observer.describe(report);
    if (!options_.sort.report_path.empty()) page_ = facts_of(output, observer);
  } catch (const std::bad_alloc&) {
    return;
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete");
  }
}

PageFacts JoinJob::facts_of(const Output& output, const Observer& observer) const {
  const ScratchSpace scratch(files_, options_.sort.scratch_directories);
  PageFacts facts = page_facts(setup_.whole, scratch.directories(), output);
  facts.conditions.job = "join";
  facts.timeline = observer.timeline();
  return facts;
}

}  // namespace sortie
