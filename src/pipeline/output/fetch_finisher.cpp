// Encoded lines that refer to lines are short. They are checked, duplicates are dropped, lines with equal keys are
// ordered by their bytes if that decides, and the lines are fetched from where they lie, into batches:
//
//   slice   | key reference  key reference | key reference  key reference | ...    ranges, in parallel
//   batch   | line line line line | line line |                                    written while more are fetched, or
//                                                                                  at once, by those who fetch them
//
// Lines with equal keys at the end of a slice wait for the next one.

#include <algorithm>
#include <vector>

#include "entries/refine_ties.hpp"
#include "pipeline/output/line_batches.hpp"
#include "pipeline/output/range_finisher.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "pipeline/scan/record_groups.hpp"
#include "pipeline/scan/repeat_filter.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// A slice refers to a batch of lines or more, and their entries stay in the caches.
constexpr std::size_t kLeastSliceBytes = 4 << 20;
constexpr std::size_t kSlicesOfBatch = 4;
/// Two batches are in memory. Where they are not written at once, all threads fetch one and write the other; see "Logs"
/// in tools/bench/RESULTS.md.
constexpr std::uint64_t kLeastBatchBytes = 8 << 20;
constexpr std::uint64_t kBatchesOfPart = 2;
constexpr std::size_t kFetchedBytes = 64 << 10;
/// So many lines of coming groups are prefetched. All those of a range would not stay in a core's second-level cache,
/// nor would the places of their pages: a log by two keys takes 0.93 of the processor time for it (AMD EPYC).
constexpr std::size_t kLinesAhead = 64;

/// Lines with equal keys, by their place in a list of lines.
struct LineGroup {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What one thread makes of a range of references.
struct FetchRange : FinishedRange {
  std::vector<Entry> lines;       // in output order
  std::vector<LineGroup> groups;  // of several lines, to be put in order
  std::vector<LinePiece> pieces;  // hold all lines; none if the range is open
  RecordTotals dropped;
};

class FetchFinisher : public RangeFinisher<FetchRange> {
 public:
  explicit FetchFinisher(OutputContext& context) : FetchFinisher(context, orders_groups(context)) {}

  void finish() override {
    order_waiting();
    deliver();
    writer_.wait();
  }

 private:
  FetchFinisher(OutputContext& context, bool orders_groups)
      : RangeFinisher(context, "fetch lines",
                      {.verify = context.options.verify, .finds_repeats = context.options.unique || orders_groups},
                      false),
        codec_(context.codec),
        unique_(context.options.unique),
        verify_(context.options.verify),
        orders_groups_(orders_groups),
        records_(codec_.order(), codec_.referred_lines(), &long_lines_),
        batch_bytes_(std::max(context.options.part_bytes / kBatchesOfPart, kLeastBatchBytes)),
        batches_(records_, verify_, batch_bytes_) {}

  static bool orders_groups(const OutputContext& context) {
    return !context.options.unique && context.codec.line_bytes_decide();
  }

  std::size_t slice_bytes(std::span<const std::byte>) const override {
    return std::max(batch_bytes_ / kSlicesOfBatch, kLeastSliceBytes);
  }
  FetchRange new_range() const override { return {}; }
  std::vector<SortedRange> cut(std::span<const std::byte> slice) override;
  void work(std::span<std::byte> slice, FetchRange& range) const override;
  void take(std::span<std::byte> slice, std::span<FetchRange> ranges) override;
  void add_last_to_group(FetchRange& range) const;
  bool is_open(const SortedRange& references, std::span<const std::byte> slice) const;
  bool order_group(std::span<Entry> group) const;
  bool order_groups(FetchRange& range) const;
  void order_waiting();
  void wait_with(const FetchRange& range) { waiting_.insert(waiting_.end(), range.lines.begin(), range.lines.end()); }
  void deliver();

  const RecordCodec& codec_;
  bool unique_;
  bool verify_;
  bool orders_groups_;  // lines with equal keys are ordered otherwise than their references
  mutable LongRecords long_lines_;
  ChunkRecords records_;           // the lines that references refer to; they are ordered as encoded lines are
  std::vector<LinePiece> pieces_;  // to be passed on
  std::vector<Entry> waiting_;     // the group with which the last slice ended
  bool goes_on_ = false;           // the slice begins with lines of that group
  std::size_t batch_bytes_;
  LineBatches batches_;
};

// If groups are to be ordered, cuts the slice into the end of the waiting group, whole groups, and the last group,
// which will wait.
std::vector<SortedRange> FetchFinisher::cut(std::span<const std::byte> slice) {
  const Layout& layout = scan_.layout();
  goes_on_ = !waiting_.empty() && scan_.repeats_key(slice);
  if (!orders_groups_) return scan_.join(split_records(layout, slice, slice.size() / kFetchedBytes + 1));
  const auto equal_keys = [this](Record a, Record b) { return codec_.equal_keys(a, b); };
  std::vector<std::span<const std::byte>> pieces;
  if (goes_on_) {
    const std::size_t bytes = bytes_of_group(layout, slice, first_record(layout, slice), equal_keys);
    pieces.push_back(slice.first(bytes));
    slice = slice.subspan(bytes);
  }
  if (slice.empty()) return scan_.join(pieces);
  const std::size_t begin = begin_of_last_group(layout, slice, equal_keys);
  for_each_range_of_groups(layout, slice.first(begin), kFetchedBytes, equal_keys,
                           [&](std::span<const std::byte> range) { pieces.push_back(range); });
  pieces.push_back(slice.subspan(begin));
  return scan_.join(pieces);
}

// Whether the range is of one group that may have lines in other slices.
bool FetchFinisher::is_open(const SortedRange& references, std::span<const std::byte> slice) const {
  if (!orders_groups_) return false;
  const bool is_first = references.bytes.data() == slice.data();
  const bool is_last = references.bytes.data() + references.bytes.size() == slice.data() + slice.size();
  return is_last || (is_first && goes_on_);
}

// The last line of the range belongs to the group of the one before.
void FetchFinisher::add_last_to_group(FetchRange& range) const {
  const std::size_t count = range.lines.size();
  if (count < 2) return;
  if (range.groups.empty() || range.groups.back().end + 1 != count) {
    range.groups.push_back({count - 2, count - 1});
  }
  range.groups.back().end = count;
}

void FetchFinisher::work(std::span<std::byte> slice, FetchRange& range) const {
  const SortedRange& references = range.records;
  const bool is_open = this->is_open(references, slice);
  range.lines.clear();
  range.groups.clear();
  range.pieces.clear();
  range.dropped = {};
  const auto add = [&](Record line) {
    const auto offset = static_cast<std::uint64_t>(line.data() - records_.bytes().data());
    if (line.size() >= kLongRecord) [[unlikely]]
      long_lines_.add(offset, line.size());
    range.lines.push_back({make_location(offset, line.size()), 0});
  };
  if (is_open || !(unique_ || orders_groups_)) {
    range.in_order = scan_.visit(references, [&](Record encoded) { add(codec_.decode(encoded)); });
  } else {
    range.in_order = scan_.visit_repeats(references, [&](Record encoded, bool repeats) {
      const Record line = codec_.decode(encoded);
      if (repeats && unique_) {
        range.dropped += totals_of_one(line, verify_);
        return;
      }
      add(line);
      if (repeats) add_last_to_group(range);
    });
    const bool in_order = order_groups(range);
    range.in_order = range.in_order && in_order;
  }
  if (!is_open) cut_into_pieces(records_, range.lines, range.pieces);
}

// The last group of a slice waits if the next slice may change its order.
void FetchFinisher::take(std::span<std::byte>, std::span<FetchRange> ranges) {
  for (const FetchRange& range : ranges) context_.tally.dropped += range.dropped;
  if (goes_on_) wait_with(ranges.front());
  if (goes_on_ && ranges.size() == 1) return;
  order_waiting();
  for (const FetchRange& range : ranges) pieces_.insert(pieces_.end(), range.pieces.begin(), range.pieces.end());
  deliver();
  waiting_.clear();
  if (orders_groups_) wait_with(ranges.back());
}

// Puts lines with equal keys into the order of their bytes. Parallel if they are many. Returns whether they are in
// order afterwards.
bool FetchFinisher::order_group(std::span<Entry> group) const {
  if (group.size() < 2) return true;
  refine_group(records_, group, kBeforeFirstWord);
  if (!verify_) return true;
  return std::ranges::is_sorted(
      group, [this](const Entry& a, const Entry& b) { return records_.order().compare(records_[a], records_[b]) < 0; });
}

// The bytes with which lines begin mostly decide, so only these are prefetched. Large groups do that by themselves.
bool FetchFinisher::order_groups(FetchRange& range) const {
  const auto lines_of = [&](const LineGroup& group) {
    return std::span(range.lines).subspan(group.begin, group.end - group.begin);
  };
  bool in_order = true;
  std::size_t next = 0;   // the first group that is not prefetched
  std::size_t ahead = 0;  // lines of groups that are prefetched, and not in order yet
  for (const LineGroup& group : range.groups) {
    for (; next < range.groups.size() && ahead < kLinesAhead; ++next) {
      const std::span<const Entry> lines = lines_of(range.groups[next]);
      for (const Entry& line : lines.first(std::min(lines.size(), kLinesAhead))) records_.prefetch(line, 0);
      ahead += lines.size();
    }
    const std::span<Entry> lines = lines_of(group);
    ahead -= lines.size();
    in_order = order_group(lines) && in_order;
  }
  return in_order;
}

void FetchFinisher::order_waiting() {
  context_.expect_order(order_group(waiting_));
  cut_into_pieces(records_, waiting_, pieces_);
}

// An output that takes lines early gets them from the threads that fetch them. Otherwise they are written while more
// are fetched, of this part or the next one.
void FetchFinisher::deliver() {
  Output& output = context_.output;
  const std::uint64_t begin = context_.options.header.size() + context_.tally.written.bytes;
  const bool takes_early = output.takes_early();
  const auto show = [&](std::uint64_t position, std::span<const std::byte> lines) {
    if (!takes_early) return false;
    auto span = context_.observer.span("write");
    const bool is_written = output.write_early(begin + position, lines);
    if (is_written) span.set_bytes(lines.size());
    return is_written;
  };
  const auto room = [&](std::uint64_t position, std::uint64_t bytes) {
    return output.early_room(begin + position, bytes, false);
  };
  context_.tally.written += batches_.fetch(pieces_, room, show, [&](std::span<const std::byte> lines, bool is_written) {
    if (!is_written) return writer_.begin(lines);
    writer_.wait();
    output.pass_over(lines.size());
  });
  pieces_.clear();
}

}  // namespace

std::unique_ptr<Finisher> make_fetch_finisher(OutputContext& context) {
  return std::make_unique<FetchFinisher>(context);
}

}  // namespace sortie
