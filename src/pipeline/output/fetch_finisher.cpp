// Decorated lines that refer to lines are short. They are checked, duplicates are dropped, lines with equal keys are
// ordered by their bytes if that decides, and the lines are fetched from where they lie, into batches:
//
//   slice   | key reference  key reference | key reference  key reference | ...    ranges, in parallel
//   batch   | line line line line | line line |                                    written while more are fetched
//
// Lines with equal keys at the end of a slice wait for the next one.

#include <algorithm>

#include "base/parallel.hpp"
#include "entries/refine_ties.hpp"
#include "pipeline/output/finisher.hpp"
#include "pipeline/output/line_batches.hpp"
#include "pipeline/output/part_writer.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "pipeline/scan/sorted_scan.hpp"
#include "pipeline/scan/unique_filter.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// A slice refers to a batch of lines or more, and their entries stay in the caches.
constexpr std::size_t kLeastSliceBytes = 4 << 20;
constexpr std::size_t kSlicesOfBatch = 4;
/// Two batches are in memory. All threads fetch one and write the other; see "Logs" in tools/bench/RESULTS.md.
constexpr std::uint64_t kLeastBatchBytes = 8 << 20;
constexpr std::uint64_t kBatchesOfPart = 2;
constexpr std::size_t kFetchedBytes = 64 << 10;

/// What one thread makes of a range of references.
struct FetchRange {
  std::vector<Entry> lines;       // in output order
  std::vector<LinePiece> pieces;  // hold all lines; none if the range is open
  RecordTotals dropped;
  bool in_order = true;
};

class FetchFinisher : public Finisher {
 public:
  explicit FetchFinisher(OutputSetting& setting)
      : setting_(setting),
        codec_(setting.codec),
        unique_(setting.options.unique),
        verify_(setting.options.verify),
        orders_groups_(!unique_ && codec_.line_bytes_decide()),
        records_(codec_.order(), codec_.referred_lines(), &long_lines_),
        scan_(codec_, {.verify = verify_, .finds_repeats = unique_ || orders_groups_}),
        batch_bytes_(std::max(setting.options.part_bytes / kBatchesOfPart, kLeastBatchBytes)),
        batches_(records_, verify_, batch_bytes_),
        writer_(setting.output, setting.observer) {}

  void accept(std::span<std::byte> part) override {
    const auto span = setting_.observer.span("fetch lines", part.size());
    const std::size_t slice_bytes = std::max(batch_bytes_ / kSlicesOfBatch, kLeastSliceBytes);
    for_each_slice(scan_.layout(), std::span<const std::byte>(part), slice_bytes,
                   [this](std::span<const std::byte> slice) { fetch_slice(slice); });
  }

  void finish() override {
    order_waiting();
    pass_on();
    writer_.wait();
  }

 private:
  void fetch_slice(std::span<const std::byte> slice);
  std::vector<std::span<const std::byte>> cut(std::span<const std::byte> slice, bool goes_on) const;
  void read(const SortedRange& references, bool is_open, FetchRange& range) const;
  bool order_group(std::span<Entry> group) const;
  void order_waiting();
  void pass_on();

  OutputSetting& setting_;
  const RecordCodec& codec_;
  bool unique_;
  bool verify_;
  bool orders_groups_;  // lines with equal keys are ordered otherwise than their references
  mutable LongRecords long_lines_;
  ChunkRecords records_;  // the lines that references refer to; they are ordered as decorated lines are
  SortedScan scan_;
  std::vector<FetchRange> ranges_;  // ranges of the current slice; never shrinks, so that memory is reused
  std::vector<LinePiece> pieces_;   // to be passed on
  std::vector<Entry> waiting_;      // the group with which the last slice ended
  std::size_t batch_bytes_;
  LineBatches batches_;
  PartWriter writer_;
};

// The last group of a slice waits if the next slice may change its order. Ranges of one group that may have lines in
// other slices are open.
void FetchFinisher::fetch_slice(std::span<const std::byte> slice) {
  const bool goes_on = !waiting_.empty() && scan_.repeats_key(slice);
  const std::vector<SortedRange> references = scan_.join(cut(slice, goes_on));
  const std::size_t last = references.size() - 1;
  if (ranges_.size() <= last) ranges_.resize(last + 1);
  parallel_for(0, last + 1, [&](std::size_t i) {
    read(references[i], orders_groups_ && (i == last || (i == 0 && goes_on)), ranges_[i]);
  });
  const auto append_to_waiting = [this](const FetchRange& range) {
    waiting_.insert(waiting_.end(), range.lines.begin(), range.lines.end());
  };
  for (std::size_t i = 0; i <= last; ++i) {
    setting_.expect_order(ranges_[i].in_order, "lines");
    setting_.tally.dropped += ranges_[i].dropped;
  }
  if (goes_on) append_to_waiting(ranges_[0]);
  if (goes_on && last == 0) return;
  order_waiting();
  for (std::size_t i = 0; i <= last; ++i) {
    pieces_.insert(pieces_.end(), ranges_[i].pieces.begin(), ranges_[i].pieces.end());
  }
  pass_on();
  waiting_.clear();
  if (orders_groups_) append_to_waiting(ranges_[last]);
}

// If groups are to be ordered, cuts the slice into the end of the waiting group, whole groups, and the last group,
// which will wait.
std::vector<std::span<const std::byte>> FetchFinisher::cut(std::span<const std::byte> slice, bool goes_on) const {
  const Layout& layout = scan_.layout();
  if (!orders_groups_) return split_records(layout, slice, slice.size() / kFetchedBytes + 1);
  const auto equal_keys = [this](Record a, Record b) { return codec_.equal_keys(a, b); };
  std::vector<std::span<const std::byte>> pieces;
  if (goes_on) {
    const std::size_t bytes = bytes_of_group(layout, slice, first_record(layout, slice), equal_keys);
    pieces.push_back(slice.first(bytes));
    slice = slice.subspan(bytes);
  }
  if (slice.empty()) return pieces;
  const std::size_t begin = begin_of_last_group(layout, slice, equal_keys);
  for_each_range_of_groups(layout, slice.first(begin), kFetchedBytes, equal_keys,
                           [&](std::span<const std::byte> range) { pieces.push_back(range); });
  pieces.push_back(slice.subspan(begin));
  return pieces;
}

void FetchFinisher::read(const SortedRange& references, bool is_open, FetchRange& range) const {
  range.lines.clear();
  range.pieces.clear();
  range.dropped = {};
  const auto add = [&](Record line) {
    const auto offset = static_cast<std::uint64_t>(line.data() - records_.bytes().data());
    if (line.size() >= kLongRecord) [[unlikely]]
      long_lines_.add(offset, line.size());
    range.lines.push_back({make_location(offset, line.size()), 0});
  };
  if (is_open || !(unique_ || orders_groups_)) {
    range.in_order = scan_.visit(references, [&](Record decorated) { add(codec_.undecorate(decorated)); });
  } else {
    std::size_t group_begin = 0;
    bool groups_in_order = true;
    const auto end_group = [&] {
      if (orders_groups_ && !order_group(std::span(range.lines).subspan(group_begin))) groups_in_order = false;
      group_begin = range.lines.size();
    };
    const bool in_order = scan_.visit_repeats(references, [&](Record decorated, bool repeats) {
      const Record line = codec_.undecorate(decorated);
      if (repeats && unique_) {
        range.dropped += totals_of_one(line, verify_);
        return;
      }
      if (!repeats) end_group();
      add(line);
    });
    end_group();
    range.in_order = in_order && groups_in_order;
  }
  if (!is_open) cut_into_pieces(records_, range.lines, range.pieces);
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

void FetchFinisher::order_waiting() {
  setting_.expect_order(order_group(waiting_), "lines");
  cut_into_pieces(records_, waiting_, pieces_);
}

// Fetched lines are written while more are fetched, of this part or the next one.
void FetchFinisher::pass_on() {
  setting_.tally.written += batches_.fetch(pieces_, [this](std::span<const std::byte> lines) { writer_.begin(lines); });
  pieces_.clear();
}

}  // namespace

std::unique_ptr<Finisher> make_fetch_finisher(OutputSetting& setting) {
  return std::make_unique<FetchFinisher>(setting);
}

}  // namespace sortie
