#include "pipeline/join_job.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "io/files/scratch.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "observe/assumptions.hpp"
#include "observe/observer.hpp"
#include "observe/phase_usage.hpp"
#include "observe/report_page.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/job_attempt.hpp"
#include "pipeline/join/join_plan.hpp"
#include "pipeline/join/keyed_stream.hpp"
#include "pipeline/join/merge_join.hpp"
#include "pipeline/join/refused_record.hpp"
#include "pipeline/join/repeated_group.hpp"
#include "pipeline/join/row_shaper.hpp"
#include "pipeline/join/row_writer.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/page_context.hpp"
#include "pipeline/setup/report_files.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "pipeline/side_thread.hpp"
#include "pipeline/sort_job.hpp"

namespace sortie {
namespace {

/// Knows what the whole join does, and how far it is.
class JoinObserver {
 public:
  JoinObserver(FileSystem& files, const SortOptions& options)
      : own_(open_observer(files, options, !assumes_year(options), "join")), observer_(*own_) {
    observer_.begin_phase("sorting both inputs", file_bytes(options.inputs).value_or(0));
  }

  Observer& whole() { return observer_; }

  /// From now on the rows that are written say how far the join is.
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
  std::unique_ptr<Observer> own_;
  Observer& observer_;
  std::atomic<bool> is_joining_ = false;
};

/// One attempt of a join.
class JoinAttempt {
 public:
  JoinAttempt(FileSystem& files, const JoinOptions& options, bool ordered_lines_pass, std::uint64_t least_passed_bytes)
      : files_(files),
        options_(options),
        join_plan_(plan_join(options)),
        ordered_lines_pass_(ordered_lines_pass),
        least_passed_bytes_(least_passed_bytes) {}

  JoinReport run();

  /// What the report page needs; nothing if none is wanted, or if memory for it is lacking.
  const std::optional<PageContext>& page() const { return page_; }
  bool has_written() const { return true; }                // nobody knows when the first row was
  std::uint64_t device_budget_bytes() const { return 0; }  // that of its sorts is not known here

 private:
  JoinReport join();
  JoinReport report_of(const SortReport& left, const SortReport& right) const;
  void finish(Output& output, Observer& observer, JoinReport& report);
  PageContext context_of(const Output& output, const Observer& observer) const;

  FileSystem& files_;
  const JoinOptions options_;
  const JoinPlan join_plan_;
  const bool ordered_lines_pass_;
  const std::uint64_t least_passed_bytes_;
  std::optional<PageContext> page_;
};

JoinReport JoinAttempt::run() try { return join(); } catch (const RefusedRecord& refused) {
  throw with_position(refused, files_, refused.is_right() ? join_plan_.right : join_plan_.left);
}

// What comes first is destroyed last: sorts that are not done write to the observer.
JoinReport JoinAttempt::join() {
  const SortOptions& sort = options_.sort;
  const std::unique_ptr<Output> output =
      open_output(files_, sort.output, packing_of(join_plan_.whole, join_plan_.budget), sort.temporary_names,
                  sort.scratch_directories);
  JoinObserver observer(files_, sort);
  Observer& whole = observer.whole();
  ScratchSpace scratch(files_, sort.scratch_directories);
  const SortContext context{.form = RecordForm::kKeyed,
                            .lets_ordered_lines_pass = ordered_lines_pass_,
                            .least_mapped_bytes = least_passed_bytes_};
  const std::size_t waiting = join_plan_.limits.queue_bytes;
  const auto sort_side = [&context](FileSystem& files, const SortOptions& options, Observer& observer_of_side) {
    SortContext of_side = context;
    of_side.observer = &observer_of_side;
    return SortJob(files, options, this_machine(), of_side).run();
  };
  SideThread left_side(files_, join_plan_.left, waiting, {whole, "left input", observer.watch_of_side()}, sort_side);
  SideThread right_side(files_, join_plan_.right, waiting, {whole, "right input", observer.watch_of_side()}, sort_side);
  KeyedStream& left = left_side.records();
  KeyedStream& right = right_side.records();
  left.next();
  right.next();
  RowShaper shaper =
      make_row_shaper(options_, join_plan_.left.format, join_plan_.right.format, begin_of(left), begin_of(right));
  RepeatedGroup group(scratch, join_plan_.limits.group_bytes, whole);
  RowWriter writer(*output, whole, [&] { observer.begin_joining(); });
  const std::string header = shaper.header(without_mark(left.header()), without_mark(right.header()));
  if (!header.empty()) writer.writer().write(std::as_bytes(std::span(header)));
  MergeJoin merge(options_.kind, left, right, shaper, group, [&](std::string_view rows) { writer.begin(rows); });
  writer.writer().wait_after([&] {
    const auto span = whole.span("join");
    merge.run();
  });
  JoinReport report = report_of(left_side.report(), right_side.report());
  report.output_records = merge.row_count();
  report.output_bytes = writer.row_bytes();
  finish(*output, whole, report);
  return report;
}

JoinReport JoinAttempt::report_of(const SortReport& left, const SortReport& right) const {
  JoinReport report;
  report.left = left;
  report.right = right;
  report.runs_spilled = left.runs_spilled + right.runs_spilled;
  report.merge_passes = std::max(left.merge_passes, right.merge_passes);
  report.memory_budget_bytes = join_plan_.budget.memory_bytes;
  return report;
}

void JoinAttempt::finish(Output& output, Observer& observer, JoinReport& report) {
  observer.describe(report);
  finish_output(output, observer);
  after_output([&] {
    observer.finish();
    observer.describe(report);
    report.memory_peak_bytes = peak_memory_bytes();
    if (!options_.sort.report_path.empty()) page_ = context_of(output, observer);
  });
}

PageContext JoinAttempt::context_of(const Output& output, const Observer& observer) const {
  const ScratchSpace scratch(files_, options_.sort.scratch_directories);
  PageContext page = page_context(join_plan_.whole, scratch.directories(), output);
  page.conditions.job = "join";
  page.timeline = observer.timeline();
  return page;
}

}  // namespace

JoinJob::JoinJob(FileSystem& files, const JoinOptions& options, std::uint64_t least_passed_bytes)
    : files_(files), options_(options), least_passed_bytes_(least_passed_bytes) {}

JoinReport JoinJob::run() {
  refuse_shared_targets_of_sort(files_, options_.sort);
  const ReportFiles reports(files_, options_.sort);
  Attempts attempts(files_, options_.sort);
  std::optional<PageContext> page;
  JoinReport report = execute<JoinAttempt>(attempts, [&](std::optional<JoinAttempt>& job) {
    ++attempt_count_;
    JoinOptions chosen = options_;
    chosen.sort = attempts.options();
    JoinReport done = job.emplace(files_, chosen, attempts.lets_ordered_lines_pass(), least_passed_bytes_).run();
    page = job->page();
    return done;
  });
  attempts.describe(report.left);
  attempts.describe(report.right);
  reports.write(report, page);
  return report;
}

}  // namespace sortie
