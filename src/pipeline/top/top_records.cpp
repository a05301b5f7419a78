#include "pipeline/top/top_records.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "pipeline/top/top_candidates.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// Length of the ranges that threads look at, one at a time.
constexpr std::size_t kRangeBytes = 256 << 10;
/// A piece is so long for each thread as a rule: what was read is still in the caches when it is looked at.
constexpr std::size_t kThreadPieceBytes = 512 << 10;
/// A piece gets 1/kPieceShare of the free memory. The rest is for the entries of its records, in case all of them are
/// kept. A record that is longer gets a larger share.
constexpr std::size_t kPieceShare = 4;
constexpr std::size_t kLongRecordShare = 2;
/// 1/kLeastFreeShare of all memory must be free after a cut: with less, pieces would be too small.
constexpr std::size_t kLeastFreeShare = 4;
/// Records that are taken before it is checked whether there is a bound.
constexpr std::uint64_t kRecordsBeforeBound = 1024;
/// If a smaller share of the records is kept, the bound is good enough to look at a whole piece at once.
constexpr std::uint64_t kFewKeptShare = 16;

TopCounts counts_of(const SortSpec& spec) {
  if (!spec.options.unique) return TopCounts::kRecords;
  if (spec.options.count) return TopCounts::kKeysWithEqual;
  return spec.keeps_last ? TopCounts::kKeysLast : TopCounts::kKeysFirst;
}

}  // namespace

TopRecords::TopRecords(PieceSource& source, const RecordCodec& codec, const Options& options, Observer& observer)
    : source_(source),
      codec_(codec),
      order_(codec.order()),
      options_(options),
      observer_(observer),
      candidates_(std::in_place, codec, options.wanted, options.counts, options.memory_bytes) {}

PieceSource::Piece TopRecords::read(std::span<std::byte> target, std::uint64_t max_records) {
  if (selecting_) {
    const Status status = select_from_source(target);
    if (status == Status::kTooSmall) return {status, target.size()};
  }
  return candidates_ ? hand_out(target, max_records) : deliver(target, max_records);
}

bool TopRecords::at_end() const { return !selecting_ && !candidates_ && source_.at_end(); }

// Reads until the source ends or there are too many candidates. Returns kTooSmall if the next record does not fit
// `target`.
PieceSource::Status TopRecords::select_from_source(std::span<std::byte> target) {
  std::size_t share = kPieceShare;
  std::size_t usual_bytes = parallel_threads() * kThreadPieceBytes;
  while (true) {
    if (candidates_->free_bytes() < candidates_->size() / kLeastFreeShare) cut();
    if (candidates_->free_bytes() < candidates_->size() / kLeastFreeShare) break;
    const std::size_t most_bytes = std::min(target.size(), candidates_->free_bytes() / share);
    const std::size_t piece_bytes = std::min(most_bytes, usual_bytes);
    const std::uint64_t most_entries = (candidates_->free_bytes() - piece_bytes) / sizeof(Entry);
    const Piece piece = source_.read(target.first(piece_bytes), most_entries);
    if (piece.status == Status::kEnd) break;
    if (piece.status == Status::kTooSmall) {
      if (piece_bytes < most_bytes) {
        usual_bytes *= 2;
        continue;
      }
      if (piece_bytes == target.size()) return Status::kTooSmall;
      if (share == kLongRecordShare) break;
      cut();
      share = kLongRecordShare;
      continue;
    }
    const auto span = observer_.span("select", piece.bytes);
    select(target.first(piece.bytes));
    share = kPieceShare;
  }
  cut();
  selecting_ = false;
  return Status::kRecords;
}

// The candidates' memory must have room for all of `piece`, in case all of it is kept.
void TopRecords::select(std::span<const std::byte> piece) {
  const Layout& layout = order_.layout();
  const std::size_t threads = parallel_threads();
  while (!piece.empty()) {
    throw_if_stopped();
    std::size_t bytes = piece.size();
    if (candidates_->bound().empty() && !candidates_->wants_first_of_key()) {
      bytes = first_records(layout, piece, kRecordsBeforeBound);
      for_each_record(layout, piece.first(bytes), [&](const std::byte* data, std::uint64_t stored) {
        take({data, static_cast<std::size_t>(stored)});
      });
    } else {
      if (!keeps_few_) bytes = boundary_at_or_after(layout, piece, std::min(bytes, threads * kRangeBytes));
      select_by_bound(piece.first(bytes));
    }
    piece = piece.subspan(bytes);
  }
}

void TopRecords::select_by_bound(std::span<const std::byte> records) {
  const auto ranges = split_records(order_.layout(), records, records.size() / kRangeBytes + 1);
  std::vector<BoundFiltered> found(ranges.size());
  parallel_for(0, ranges.size(), [&](std::size_t i) { found[i] = filter_by_bound(*candidates_, order_, ranges[i]); });
  std::uint64_t kept = 0;
  std::uint64_t others = 0;
  for (const BoundFiltered& range : found) {
    for (const Record record : range.records) {
      // The bound may have become tighter meanwhile.
      if (candidates_->may_be_wanted(record)) {
        take(record);
        ++kept;
      } else {
        ++others;
      }
    }
    others += range.others;
  }
  left_records_ += others;
  keeps_few_ = kept < others / kFewKeptShare;
}

void TopRecords::take(Record record) {
  taken_ += totals_of_candidate(record);
  candidates_->add(record);
  if (candidates_->is_full()) cut();
}

void TopRecords::cut() {
  candidates_->cut([&](Record record) { cut_off_ += totals_of_candidate(record); });
}

PieceSource::Piece TopRecords::hand_out(std::span<std::byte> target, std::uint64_t max_records) {
  Piece piece;
  StopPoll ask_for_stop;
  while (handed_out_ < candidates_->count() && piece.records < max_records) {
    ask_for_stop();
    const Record record = (*candidates_)[handed_out_];
    if (record.size() > target.size() - piece.bytes) break;
    std::memcpy(target.data() + piece.bytes, record.data(), record.size());
    piece.bytes += record.size();
    piece.input_bytes += codec_.original_bytes(record);
    ++piece.records;
    ++handed_out_;
  }
  const bool done = handed_out_ == candidates_->count();
  if (piece.records == 0 && !done) return {Status::kTooSmall, target.size()};
  if (done) candidates_.reset();
  if (piece.records == 0) return deliver(target, max_records);
  piece.status = Status::kRecords;
  return piece;
}

PieceSource::Piece TopRecords::deliver(std::span<std::byte> target, std::uint64_t max_records) {
  const Piece piece = source_.read(target, max_records);
  if (piece.status == Status::kRecords) taken_ += totals_of_originals(target.first(piece.bytes));
  return piece;
}

RecordTotals TopRecords::totals_of_originals(std::span<const std::byte> records) const {
  if (!codec_.makes_keys()) return totals_of(codec_.sorted_format(), records, options_.verify);
  const auto ranges = split_records(order_.layout(), records, records.size() / kRangeBytes + 1);
  const auto add_range = [&](std::size_t i, RecordTotals sum) {
    std::vector<std::byte> scratch;
    for_each_record(order_.layout(), ranges[i], [&](const std::byte* data, std::uint64_t stored) {
      const Record record(data, static_cast<std::size_t>(stored));
      sum += totals_of_one(codec_.original(record, scratch), options_.verify);
    });
    return sum;
  };
  return parallel_reduce(ranges.size(), RecordTotals{}, add_range, std::plus<>());
}

RecordTotals TopRecords::totals_of_candidate(Record record) {
  const Format& format = codec_.sorted_format();
  if (format.kind == RecordKind::kArray) return range_totals(format, record, options_.verify);
  return totals_of_one(codec_.original(record, scratch_), options_.verify);
}

RecordTotals TopRecords::dropped(const RecordTotals& input) const {
  RecordTotals totals = input - taken_;
  totals.records = left_records_;
  return totals += cut_off_;
}

std::unique_ptr<TopRecords> select_top_records(PieceSource& source, const SortSpec& spec, std::uint64_t memory_bytes,
                                               Observer& observer) {
  const SortOptions& options = spec.options;
  // Which keys are shown, or which groups there are, is not known before all records have come.
  if (!spec.can_select_top()) return nullptr;
  const TopRecords::Options selection{options.top_records, counts_of(spec), options.verify,
                                      static_cast<std::size_t>(memory_bytes)};
  return std::make_unique<TopRecords>(source, *spec.codec, selection, observer);
}

}  // namespace sortie
