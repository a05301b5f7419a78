// Encoded lines that refer to lines are short. They are checked, duplicates are dropped, lines with equal keys are
// ordered by their bytes if that decides, and the lines are fetched from where they lie, into batches:
//
//   slice   | key reference  key reference | key reference  key reference | ...    ranges, in parallel
//   batch   | line line line line | line line |                                    written while more are fetched
//
// Lines with equal keys at the end of a slice wait for the next one.

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "base/memory_region.hpp"
#include "base/parallel.hpp"
#include "entries/part_maker.hpp"
#include "entries/refine_ties.hpp"
#include "pipeline/output/range_finisher.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "pipeline/scan/repeat_filter.hpp"
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

/// A piece of lines stays in a core's cache while it is copied and checksummed.
constexpr std::uint64_t kPieceBytes = 256 << 10;

/// Lines that one thread fetches.
struct LinePiece {
  std::span<const Entry> lines;  ///< at least one
  std::uint64_t bytes = 0;       ///< length of the lines
  bool adjacent = false;         ///< they lie one after another in memory, in this order

  std::uint64_t first_offset() const { return offset_of(lines.front()); }
  /// Whether `next` lies directly behind this piece.
  bool adjoins(const LinePiece& next) const {
    return adjacent && next.adjacent && first_offset() + bytes == next.first_offset();
  }
};

/// Cuts `lines` into pieces of at most kPieceBytes, or of one longer line, and appends them to `pieces`.
void cut_into_pieces(const ChunkRecords& records, std::span<const Entry> lines, std::vector<LinePiece>& pieces) {
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    LinePiece piece{{}, records[lines[begin]].size(), true};
    for (end = begin + 1; end < lines.size(); ++end) {
      const std::uint64_t bytes = records[lines[end]].size();
      if (piece.bytes + bytes > kPieceBytes) break;
      piece.adjacent = piece.adjacent && offset_of(lines[begin]) + piece.bytes == offset_of(lines[end]);
      piece.bytes += bytes;
    }
    piece.lines = lines.subspan(begin, end - begin);
    pieces.push_back(piece);
  }
}

// Fetches lines from where they lie, in batches to be written.
class LineBatches {
 public:
  /// Takes a batch. It stays unchanged until the call after the next one.
  using Consumer = std::function<void(std::span<const std::byte> lines)>;

  /// Two batches of `batch_bytes` are in memory.
  LineBatches(const ChunkRecords& records, bool checksum, std::size_t batch_bytes)
      : records_(records), checksum_(checksum), batch_bytes_(batch_bytes) {}

  /// Fetches the lines of all pieces, batch by batch, and returns their totals. Parallel.
  RecordTotals fetch(std::span<const LinePiece> pieces, const Consumer& consumer) {
    RecordTotals totals;
    for (std::size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
      std::uint64_t bytes = pieces[begin].bytes;
      for (end = begin + 1; end < pieces.size() && bytes + pieces[end].bytes <= batch_bytes_; ++end) {
        bytes += pieces[end].bytes;
      }
      totals += fetch_batch(pieces.subspan(begin, end - begin), consumer);
    }
    return totals;
  }

 private:
  // Lines that lie one after another already are not copied. While one batch is written the next one is fetched.
  RecordTotals fetch_batch(std::span<const LinePiece> pieces, const Consumer& consumer) {
    std::vector<std::size_t> begins;
    std::size_t bytes = 0;
    bool adjacent = pieces[0].adjacent;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      begins.push_back(bytes);
      bytes += pieces[i].bytes;
      adjacent = adjacent && (i == 0 || pieces[i - 1].adjoins(pieces[i]));
    }
    std::span<const std::byte> lines;
    std::span<std::byte> target;
    if (adjacent) {
      lines = records_.bytes().subspan(pieces[0].first_offset(), bytes);
    } else {
      MemoryRegion& batch = batches_[next_batch_++ % batches_.size()];
      if (batch.size() == 0) batch = MemoryRegion(batch_bytes_);
      lines = target = batch.bytes().first(bytes);
    }
    const RecordTotals totals = parallel_reduce(
        pieces.size(), RecordTotals{},
        [&](std::size_t i, RecordTotals sum) {
          const std::size_t piece_bytes = static_cast<std::size_t>(pieces[i].bytes);
          if (!adjacent) gather(records_, pieces[i].lines, target.subspan(begins[i], piece_bytes));
          return sum += totals_of_piece(pieces[i], lines.subspan(begins[i], piece_bytes));
        },
        std::plus<>());
    consumer(lines);
    return totals;
  }

  RecordTotals totals_of_piece(const LinePiece& piece, std::span<const std::byte> bytes) const {
    RecordTotals totals{piece.lines.size(), piece.bytes, {}};
    if (!checksum_) return totals;
    std::size_t at = 0;
    for (const Entry& line : piece.lines) {
      // A line of a file that somebody has changed since may be longer than it was.
      const std::size_t size = std::min(records_[line].size(), bytes.size() - at);
      totals.checksum += hash_record(bytes.subspan(at, size));
      at += size;
    }
    return totals;
  }

  ChunkRecords records_;
  bool checksum_;
  std::size_t batch_bytes_;
  std::array<MemoryRegion, 2> batches_;
  std::size_t next_batch_ = 0;
};

/// What one thread makes of a range of references.
struct FetchRange : FinishedRange {
  std::vector<Entry> lines;       // in output order
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
  bool is_open(const SortedRange& references, std::span<const std::byte> slice) const;
  bool order_group(std::span<Entry> group) const;
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

void FetchFinisher::work(std::span<std::byte> slice, FetchRange& range) const {
  const SortedRange& references = range.records;
  const bool is_open = this->is_open(references, slice);
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
    range.in_order = scan_.visit(references, [&](Record encoded) { add(codec_.decode(encoded)); });
  } else {
    std::size_t group_begin = 0;
    bool groups_in_order = true;
    const auto end_group = [&] {
      if (orders_groups_ && !order_group(std::span(range.lines).subspan(group_begin))) groups_in_order = false;
      group_begin = range.lines.size();
    };
    const bool in_order = scan_.visit_repeats(references, [&](Record encoded, bool repeats) {
      const Record line = codec_.decode(encoded);
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

void FetchFinisher::order_waiting() {
  context_.expect_order(order_group(waiting_));
  cut_into_pieces(records_, waiting_, pieces_);
}

// Fetched lines are written while more are fetched, of this part or the next one.
void FetchFinisher::deliver() {
  context_.tally.written += batches_.fetch(pieces_, [this](std::span<const std::byte> lines) { writer_.begin(lines); });
  pieces_.clear();
}

}  // namespace

std::unique_ptr<Finisher> make_fetch_finisher(OutputContext& context) {
  return std::make_unique<FetchFinisher>(context);
}

}  // namespace sortie
