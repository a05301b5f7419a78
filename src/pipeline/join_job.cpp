#include "pipeline/join_job.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/byte_order_mark.hpp"
#include "base/seconds_since.hpp"
#include "base/thread_team.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/headed_input.hpp"
#include "pipeline/join/join_check.hpp"
#include "pipeline/join/merge_join.hpp"
#include "pipeline/join/repeated_group.hpp"
#include "pipeline/join_side.hpp"
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

  /// From now on the rows that are written tell how far the join is.
  void begin_joining() {
    is_joining_ = true;
    observer_.begin_phase("joining", 0);
  }

  /// The options of a sort that tells this what it tells.
  SortOptions watching(SortOptions side) {
    side.watch = [this, done = std::uint64_t{0}](const Progress& progress) mutable {
      const bool reads = progress.phase == "forming runs" || progress.phase == "passing lines on";
      if (is_joining_ || !reads || progress.done_bytes <= done) return;
      observer_.advance(progress.done_bytes - done);
      done = progress.done_bytes;
    };
    if (!warn_) return side;
    side.warn = [this](const std::string& message) {
      const std::scoped_lock lock(mutex_);
      observer_.make_way_for([&] { warn_(message); });
    };
    return side;
  }

 private:
  Observer observer_;
  std::atomic<bool> is_joining_ = false;
  std::mutex mutex_;
  std::function<void(const std::string&)> warn_;
};

/// Writes rows while others are made.
class RowWriter {
 public:
  RowWriter(Output& output, SharedObserver& observer) : observer_(observer), writer_(output, observer.observer()) {}

  void write_header(const std::string& header) {
    if (!header.empty()) writer_.write(std::as_bytes(std::span(header)));
  }

  /// `rows` must stay as they are until the next call returns.
  void begin(std::string_view rows) {
    if (row_bytes_ == 0) observer_.begin_joining();
    row_bytes_ += rows.size();
    observer_.observer().advance(rows.size());
    writer_.begin(std::as_bytes(std::span(rows)));
  }

  template <class Work>
  void wait_after(const Work& work) {
    writer_.wait_after(work);
  }

  std::uint64_t row_bytes() const { return row_bytes_; }

 private:
  SharedObserver& observer_;
  PartWriter writer_;
  std::uint64_t row_bytes_ = 0;
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

JoinJob::JoinJob(FileSystem& files, const JoinOptions& options, std::uint64_t least_passed_bytes)
    : files_(files), options_(options), least_passed_bytes_(least_passed_bytes) {
  const SortOptions& sort = options.sort;
  resolved_.options = sort;
  resolved_.threads = thread_count(sort);
  set_budget(resolved_, file_bytes(sort.inputs));
  shares_ = share_for_join(resolved_.memory_bytes, resolved_.threads, file_bytes({sort.inputs[0]}),
                           file_bytes({sort.inputs[1]}));
}

JoinReport JoinJob::run() {
  refuse_shared_targets_of_sort(files_, options_.sort);
  bool ordered_lines_pass =
      output_can_be_begun_anew(files_, options_.sort) && inputs_can_be_read_again(files_, options_.sort);
  while (true) {
    ++attempts_;
    try {
      return attempt(ordered_lines_pass);
    } catch (const LinesOutOfOrder&) {
      ordered_lines_pass = false;
    }
  }
}

// What comes first is destroyed last: sorts that are not done write to the observer.
JoinReport JoinJob::attempt(bool ordered_lines_pass) {
  const auto begin = std::chrono::steady_clock::now();
  const SortOptions& sort = options_.sort;
  const std::unique_ptr<Output> output =
      open_output(files_, sort.output, packing_of(resolved_), sort.temporary_names, sort.scratch_directories);
  SharedObserver observer(sort);
  ScratchSpace scratch(files_, sort.scratch_directories);
  const SortOptions left_sort = left_options();
  const SortOptions right_sort = right_options();
  JoinSide left_side(files_, observer.watching(left_sort), ordered_lines_pass, least_passed_bytes_,
                     shares_.hand_over_bytes);
  JoinSide right_side(files_, observer.watching(right_sort), ordered_lines_pass, least_passed_bytes_,
                      shares_.hand_over_bytes);
  KeyedStream& left = left_side.records();
  KeyedStream& right = right_side.records();
  left.next();
  right.next();
  const JoinInput left_input = describe(left_sort.format, left);
  const JoinInput right_input = describe(right_sort.format, right);
  RowShaper shaper(sort.format, plan_rows(options_, left_input, right_input), style_of(options_, left, right),
                   left_input, right_input);
  RepeatedGroup group(scratch, shares_.group_bytes);
  RowWriter writer(*output, observer);
  writer.write_header(shaper.header(without_mark(left.header()), without_mark(right.header())));
  MergeJoin merge(options_.kind, left, right, shaper, group, [&](std::string_view rows) { writer.begin(rows); });
  writer.wait_after([&] { merge.run(); });
  throw_if_stopped();
  output->finish();
  return {left_side.report(), right_side.report(), merge.row_count(), writer.row_bytes(), seconds_since(begin)};
}

SortOptions JoinJob::left_options() const {
  SortOptions sort = left_sort(options_);
  sort.memory_bytes = shares_.left_memory_bytes;
  sort.threads = shares_.left_threads;
  return sort;
}

SortOptions JoinJob::right_options() const {
  SortOptions sort = right_sort(options_);
  sort.memory_bytes = shares_.right_memory_bytes;
  sort.threads = shares_.right_threads;
  return sort;
}

}  // namespace sortie
