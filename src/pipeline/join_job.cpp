#include "pipeline/join_job.hpp"

#include <chrono>
#include <mutex>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/byte_order_mark.hpp"
#include "base/seconds_since.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/headed_input.hpp"
#include "pipeline/join/join_check.hpp"
#include "pipeline/join/merge_join.hpp"
#include "pipeline/join/repeated_group.hpp"
#include "pipeline/output/part_writer.hpp"
#include "pipeline/runs/ordered_pass.hpp"
#include "pipeline/setup/job_setup.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "record/csv/column_names.hpp"
#include "record/csv/quoted_records.hpp"

namespace sortie {
namespace {

/// Both sorts tell how far they are, and warn.
class SharedObserver {
 public:
  explicit SharedObserver(const SortOptions& options)
      : observer_(options.progress, nullptr, options.watch), warn_(options.warn) {
    observer_.begin_phase("sorting both inputs", file_bytes(options.inputs).value_or(0));
  }

  Observer& observer() { return observer_; }

  /// Lets a sort tell this what it tells.
  void listen_to(SortOptions& side) {
    side.watch = [this, done = std::uint64_t{0}, phase = std::string()](const Progress& progress) mutable {
      // Reading is what the phase is about; what a merge does is told by the output.
      if (progress.phase == "merging") return;
      if (progress.phase != phase) done = 0;
      phase = progress.phase;
      if (progress.done_bytes > done) observer_.advance(progress.done_bytes - done);
      done = progress.done_bytes;
    };
    if (!warn_) return;
    side.warn = [this](const std::string& message) {
      const std::scoped_lock lock(mutex_);
      observer_.make_way_for([&] { warn_(message); });
    };
  }

 private:
  Observer observer_;
  std::mutex mutex_;
  std::function<void(const std::string&)> warn_;
};

std::string_view without_mark(std::string_view header) {
  return as_text(without_byte_order_mark(std::as_bytes(std::span(header))));
}

std::string_view without_end(std::string_view text, const Format& format) {
  if (format.text.csv) return without_line_end(text);
  return text.ends_with(format.delimiter) ? text.substr(0, text.size() - 1) : text;
}

/// What is known of an input once next() was called.
JoinInput describe(const Format& format, const KeyedStream& records) {
  JoinInput input;
  const std::string_view header = without_mark(records.header());
  std::vector<std::string_view> fields;
  if (!header.empty() || records.is_there()) {
    const std::string_view first = header.empty() ? as_text(records.record()) : header;
    FieldSplitter(format.text).split(without_end(first, format), fields);
  }
  input.field_count = fields.size();
  if (format.text.csv && !header.empty()) input.names = column_names(header, format.text.separator[0]);
  input.key_fields = fields_of_keys(with_columns_found(format.text, header).keys);
  // A record that lacks the fields of its keys has empty ones.
  for (const std::size_t field : input.key_fields) {
    if (input.field_count > 0) input.field_count = std::max(input.field_count, field + 1);
  }
  return input;
}

bool ends_in_carriage_return(const KeyedStream& records) {
  return (records.header().empty() ? as_text(records.record()) : records.header()).ends_with("\r\n");
}

RowStyle style_of(const JoinOptions& options, const KeyedStream& left, const KeyedStream& right) {
  const Format& format = options.sort.format;
  RowStyle style;
  style.csv = format.text.csv;
  if (!format.text.separator.empty()) style.separator = format.text.separator;
  style.line_end = std::string(1, format.delimiter);
  const bool left_is_empty = left.header().empty() && !left.is_there();
  if (style.csv && ends_in_carriage_return(left_is_empty ? right : left)) style.line_end = "\r\n";
  style.empty = style.csv ? csv_field(options.empty, style.separator) : options.empty;
  return style;
}

bool output_can_be_begun_anew(FileSystem& files, const SortOptions& options) {
  if (options.output == "-") return false;
  const FileStatus::Kind kind = files.status(options.output).kind;
  return kind == FileStatus::Kind::kRegular || kind == FileStatus::Kind::kMissing;
}

}  // namespace

JoinReport JoinJob::run() {
  refuse_shared_targets_of_sort(files_, options_.sort);
  bool ordered_lines_pass =
      output_can_be_begun_anew(files_, options_.sort) && inputs_can_be_read_again(files_, options_.sort);
  while (true) {
    try {
      return attempt(ordered_lines_pass);
    } catch (const LinesOutOfOrder&) {
      ordered_lines_pass = false;
    }
  }
}

JoinReport JoinJob::attempt(bool ordered_lines_pass) {
  const auto begin = std::chrono::steady_clock::now();
  ResolvedOptions resolved;
  resolved.options = options_.sort;
  resolved.threads = thread_count(options_.sort);
  set_budget(resolved, file_bytes(options_.sort.inputs));
  const JoinShares shares =
      share_for_join(resolved.memory_bytes, resolved.threads, file_bytes({options_.sort.inputs[0]}),
                     file_bytes({options_.sort.inputs[1]}));
  const std::unique_ptr<Output> output = open_output(files_, options_.sort.output, packing_of(resolved),
                                                     options_.sort.temporary_names, options_.sort.scratch_directories);
  SharedObserver observer(options_.sort);
  ScratchSpace scratch(files_, options_.sort.scratch_directories);

  SortOptions left_options = left_sort(options_);
  SortOptions right_options = right_sort(options_);
  for (SortOptions* const side : {&left_options, &right_options}) {
    if (side->engine == EngineChoice::kAuto) side->engine = EngineChoice::kCpu;
    side->device_memory_bytes /= 2;
    observer.listen_to(*side);
  }
  left_options.memory_bytes = shares.left_memory_bytes;
  left_options.threads = shares.left_threads;
  right_options.memory_bytes = shares.right_memory_bytes;
  right_options.threads = shares.right_threads;
  JoinSide left(files_, left_options, ordered_lines_pass, shares.hand_over_bytes);
  JoinSide right(files_, right_options, ordered_lines_pass, shares.hand_over_bytes);
  left.records().next();
  right.records().next();

  const JoinInput left_input = describe(left_options.format, left.records());
  const JoinInput right_input = describe(right_options.format, right.records());
  RowShaper shaper(options_.sort.format, plan_rows(options_, left_input, right_input),
                   style_of(options_, left.records(), right.records()), left_input, right_input);
  RepeatedGroup group(scratch, shares.group_bytes);
  PartWriter writer(*output, observer.observer());
  JoinReport report;
  MergeJoin merge(options_.kind, left.records(), right.records(), shaper, group, [&](std::string_view rows) {
    if (report.output_bytes == 0) observer.observer().begin_phase("joining", 0);
    report.output_bytes += rows.size();
    observer.observer().advance(rows.size());
    writer.begin(std::as_bytes(std::span(rows)));
  });
  const std::string header =
      shaper.header(without_mark(left.records().header()), without_mark(right.records().header()));
  if (!header.empty()) writer.write(std::as_bytes(std::span(header)));
  writer.wait_after([&] { merge.run(); });
  output->finish();
  report.left = left.report();
  report.right = right.report();
  report.output_records = merge.row_count();
  report.elapsed_seconds = seconds_since(begin);
  return report;
}

}  // namespace sortie
