#include "pipeline/ties/tie_stage.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "entries/loser_tree.hpp"
#include "pipeline/scan/record_groups.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kFanIn = 16;
constexpr std::size_t kReadBytes = 64 << 10;
constexpr std::size_t kWriteBytes = 256 << 10;

void append_to(std::vector<std::byte>& lines, std::span<const std::byte> line) {
  lines.insert(lines.end(), line.begin(), line.end());
}

constexpr std::size_t kRangeBytes = 256 << 10;
/// While a slice is put in order, its texts and lists of them may take several times as much memory.
constexpr std::size_t kSliceBytes = 16 << 20;

auto tied_by(const TieOrder& order) {
  return [&order](Record a, Record b) { return order.are_tied(a, b); };
}

}  // namespace

// Hands out the lines of a run, one at a time.
class TieRuns::Reader {
 public:
  Reader(File& file, const TieOrder& order, const Run& run)
      : file_(&file), order_(&order), next_(run.begin), left_(run.bytes) {
    find_line();
  }

  bool exhausted() const { return line_bytes_ == 0; }
  std::uint64_t word() const { return 0; }
  int compare_tail(const Reader& other) const { return order_->codec().compare_keys(line(), other.line()); }
  std::span<std::byte> line() { return std::span(buffer_).subspan(begin_, line_bytes_); }
  Record line() const { return std::span(buffer_).subspan(begin_, line_bytes_); }

  /// Moves on to the next line. Returns true if that is known to be the same line again: then no other reader's line
  /// comes between.
  bool advance() {
    const Record before = std::as_const(*this).line();
    const std::uint64_t read_to = next_;
    begin_ += std::exchange(line_bytes_, 0);
    find_line();
    return !exhausted() && next_ == read_to && order_->are_same_line(before, std::as_const(*this).line());
  }

 private:
  void find_line() {
    const auto delimiter = static_cast<unsigned char>(order_->layout().delimiter);
    while (true) {
      const auto rest = std::span(buffer_).subspan(begin_);
      const void* const end = rest.empty() ? nullptr : std::memchr(rest.data(), delimiter, rest.size());
      if (end != nullptr) {
        line_bytes_ = static_cast<std::size_t>(static_cast<const std::byte*>(end) + 1 - rest.data());
        return;
      }
      if (left_ == 0) return;
      read_more();
    }
  }

  // The buffer grows if it does not hold a whole line.
  void read_more() {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(std::exchange(begin_, 0)));
    const std::size_t kept = buffer_.size();
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(left_, std::max(kReadBytes, kept)));
    buffer_.resize(kept + bytes);
    file_->read_at(next_, std::span(buffer_).subspan(kept));
    file_->release(next_, bytes);
    next_ += bytes;
    left_ -= bytes;
  }

  File* file_;
  const TieOrder* order_;
  std::uint64_t next_;
  std::uint64_t left_;
  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0;
  std::size_t line_bytes_ = 0;
};

void TieRuns::add(std::span<std::byte> lines) {
  if (empty()) {
    const Record first = first_record(order_.layout(), lines);
    first_.assign(first.begin(), first.end());
    file_ = scratch_.create();
  }
  are_alike_ = are_alike_ && order_.have_texts_of(first_, lines);
  if (are_alike_) {
    if (empty()) runs_.push_back({0, 0, 0});
    append(lines);
    runs_.back().bytes = file_bytes_;
    return;
  }
  order_.order(lines);
  for_each_record(order_.layout(), lines, [&](const std::byte* line, std::uint64_t stored) {
    order_.open_ranks(lines.subspan(static_cast<std::size_t>(line - lines.data()), static_cast<std::size_t>(stored)));
  });
  runs_.push_back({file_bytes_, lines.size(), 0});
  append(lines);
  while (runs_.size() >= kFanIn && runs_[runs_.size() - kFanIn].generation == runs_.back().generation) {
    merge_last(kFanIn);
  }
}

void TieRuns::append(std::span<const std::byte> bytes) {
  file_->write_at(file_bytes_, bytes);
  file_bytes_ += bytes.size();
}

void TieRuns::merge_last(std::size_t count) {
  const std::span<const Run> merged = std::span(runs_).last(count);
  Run run{file_bytes_, 0, merged.back().generation + 1};
  std::vector<std::byte> lines;
  merge(merged, [&](std::span<std::byte> line) {
    append_to(lines, line);
    if (lines.size() < kWriteBytes) return;
    append(lines);
    lines.clear();
  });
  append(lines);
  run.bytes = file_bytes_ - run.begin;
  runs_.resize(runs_.size() - count);
  runs_.push_back(run);
}

void TieRuns::merge(std::span<const Run> runs, const std::function<void(std::span<std::byte> line)>& take) const {
  std::vector<Reader> readers;
  for (const Run& run : runs) readers.emplace_back(*file_, order_, run);
  LoserTree<Reader> tree(std::move(readers));
  while (!tree.top().exhausted()) {
    do {
      throw_if_stopped();
      take(tree.top().line());
    } while (tree.top().advance());
    tree.replay();
  }
}

void TieRuns::drain(const Consumer& consumer) {
  if (are_alike_) {
    deliver_all(consumer);
  } else {
    deliver_merged(consumer);
  }
  runs_.clear();
  file_.reset();
  file_bytes_ = 0;
  are_alike_ = true;
}

// Passes the lines on in the order in which they stand in the file.
void TieRuns::deliver_all(const Consumer& consumer) {
  std::vector<std::byte> lines;
  for (std::uint64_t at = 0; at < file_bytes_;) {
    throw_if_stopped();
    // Bytes of the line that was not read to its end.
    const std::size_t kept = lines.size();
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(file_bytes_ - at, std::max(kWriteBytes, kept)));
    lines.resize(kept + bytes);
    file_->read_at(at, std::span(lines).subspan(kept));
    file_->release(at, bytes);
    at += bytes;
    const std::size_t whole = whole_records(order_.layout(), lines);
    const std::vector<std::byte> rest(lines.begin() + static_cast<std::ptrdiff_t>(whole), lines.end());
    if (whole > 0) consumer(std::span(lines).first(whole));
    lines = rest;
  }
}

void TieRuns::deliver_merged(const Consumer& consumer) {
  while (runs_.size() > kFanIn) merge_last(std::min(kFanIn, runs_.size() - kFanIn + 1));
  std::vector<std::byte> lines;
  std::vector<std::byte> before;
  merge(runs_, [&](std::span<std::byte> line) {
    order_.rank_behind(before, line);
    before.assign(line.begin(), line.end());
    append_to(lines, line);
    if (lines.size() < kWriteBytes) return;
    consumer(lines);
    lines.clear();
  });
  if (!lines.empty()) consumer(lines);
}

TieStage::TieStage(const RecordCodec& codec, std::size_t memory_bytes, ScratchSpace& scratch)
    : order_(codec), memory_bytes_(memory_bytes), runs_(order_, scratch) {}

void TieStage::accept(std::span<std::byte> part, const Consumer& consumer) {
  for_each_slice(order_.layout(), part, kSliceBytes,
                 [&](std::span<std::byte> slice) { accept_slice(slice, consumer); });
}

void TieStage::accept_slice(std::span<std::byte> part, const Consumer& consumer) {
  if (!waiting_.empty()) {
    const Record waiting = first_record(order_.layout(), waiting_);
    const std::size_t bytes = bytes_of_group(order_.layout(), part, waiting, tied_by(order_));
    wait_with(part.first(bytes));
    part = part.subspan(bytes);
    if (part.empty()) return;
    deliver_waiting(consumer);
  }
  const std::size_t begin = begin_of_last_group(order_.layout(), part, tied_by(order_));
  order_ties(part.first(begin));
  // What waits is copied first: the consumer may change all of the part.
  wait_with(part.subspan(begin));
  if (begin > 0) consumer(part.first(begin));
}

void TieStage::finish(const Consumer& consumer) {
  if (!waiting_.empty()) deliver_waiting(consumer);
}

void TieStage::order_ties(std::span<std::byte> lines) const {
  std::vector<std::span<std::byte>> ranges;
  for_each_range_of_groups(order_.layout(), lines, kRangeBytes, tied_by(order_),
                           [&](std::span<std::byte> range) { ranges.push_back(range); });
  parallel_for(0, ranges.size(), [&](std::size_t i) { order_ties_in_range(ranges[i]); });
}

void TieStage::order_ties_in_range(std::span<std::byte> range) const {
  Record before;
  std::size_t begin = 0;  // where the tie of `before` begins
  const auto order_up_to = [&](std::size_t end) {
    if (end - begin > before.size()) order_.order(range.subspan(begin, end - begin));
    begin = end;
  };
  for_each_record(order_.layout(), range, [&](const std::byte* data, std::uint64_t stored) {
    const Record line(data, static_cast<std::size_t>(stored));
    // Only lines that have been looked at are put in order: until then `before` is the line in front of this one.
    if (!before.empty() && !order_.are_tied(before, line)) order_up_to(static_cast<std::size_t>(data - range.data()));
    before = line;
  });
  order_up_to(range.size());
}

void TieStage::wait_with(std::span<const std::byte> lines) {
  while (!lines.empty()) {
    if (waiting_.size() >= memory_bytes_) spill_waiting();
    const std::size_t room = std::max<std::size_t>(1, memory_bytes_ - std::min(memory_bytes_, waiting_.size()));
    const std::size_t bytes = boundary_at_or_after(order_.layout(), lines, std::min(room, lines.size()));
    waiting_.insert(waiting_.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(bytes));
    lines = lines.subspan(bytes);
  }
}

// The last line stays: it says what is tied.
void TieStage::spill_waiting() {
  const Record last = last_record(order_.layout(), waiting_);
  if (last.size() == waiting_.size()) return;
  const std::vector<std::byte> kept(last.begin(), last.end());
  runs_.add(std::span(waiting_).first(waiting_.size() - kept.size()));
  waiting_ = kept;
}

void TieStage::deliver_waiting(const Consumer& consumer) {
  if (runs_.empty()) {
    order_.order(waiting_);
    consumer(waiting_);
  } else {
    runs_.add(waiting_);
    runs_.drain(consumer);
  }
  waiting_.clear();
}

}  // namespace sortie
