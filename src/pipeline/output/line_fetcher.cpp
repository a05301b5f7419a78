#include "pipeline/output/line_fetcher.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "pipeline/output/output_fault.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// A slice refers to some megabytes of lines, and their entries stay in the cache.
constexpr std::size_t kSliceBytes = 4 << 20;
constexpr std::size_t kFetchedBytes = 64 << 10;
/// While one batch is written the next one is fetched.
constexpr std::uint64_t kBatchBytes = 8 << 20;

}  // namespace

LineFetcher::LineFetcher(const LineDecorator& decorator, const RecordOrder& order, bool unique, bool verify)
    : order_(order), verify_(verify), reader_(decorator, order, {unique, verify}), seam_(order, false, &decorator) {}

void LineFetcher::fetch(std::span<const std::byte> part, const Consumer& consumer) {
  while (!part.empty()) {
    const std::size_t bytes = boundary_at_or_after(order_.layout(), part, std::min(part.size(), kSliceBytes));
    fetch_slice(part.first(bytes), consumer);
    part = part.subspan(bytes);
  }
}

void LineFetcher::finish(const Consumer& consumer) {
  order_waiting();
  pass_on(consumer);
}

// The last group of a slice waits if the next slice may change its order.
void LineFetcher::fetch_slice(std::span<const std::byte> slice, const Consumer& consumer) {
  range_count_ = 0;
  const bool goes_on = !waiting_.empty() && seam_.repeats_key(slice);
  cut(slice);
  read_ranges();
  const auto append_to_waiting = [this](const ReferenceRange& range) {
    waiting_.insert(waiting_.end(), range.lines.begin(), range.lines.end());
  };
  if (goes_on) append_to_waiting(ranges_[0]);
  if (goes_on && range_count_ == 1) return;
  order_waiting();
  for (std::size_t i = 0; i < range_count_; ++i) {
    pieces_.insert(pieces_.end(), ranges_[i].pieces.begin(), ranges_[i].pieces.end());
  }
  pass_on(consumer);
  waiting_.clear();
  if (ranges_[range_count_ - 1].is_open) append_to_waiting(ranges_[range_count_ - 1]);
}

// If groups are to be ordered, cuts the slice into the end of the waiting group, whole groups, and the last group,
// which will wait.
void LineFetcher::cut(std::span<const std::byte> slice) {
  if (!reader_.orders_groups()) {
    for (const auto bytes : split_records(order_.layout(), slice, slice.size() / kFetchedBytes + 1)) {
      add_range(bytes, false);
    }
    return;
  }
  if (!waiting_.empty() && seam_.repeats_key(slice)) {
    const std::size_t bytes = end_of_group(slice, first_record(slice));
    add_range(slice.first(bytes), true);
    slice = slice.subspan(bytes);
  }
  if (slice.empty()) return;
  const std::size_t begin = begin_of_last_group(slice);
  cut_between_groups(slice.first(begin));
  add_range(slice.subspan(begin), true);
}

void LineFetcher::cut_between_groups(std::span<const std::byte> records) {
  while (!records.empty()) {
    std::size_t bytes = boundary_at_or_after(order_.layout(), records, std::min(records.size(), kFetchedBytes));
    bytes += end_of_group(records.subspan(bytes), last_record(order_.layout(), records.first(bytes)));
    add_range(records.first(bytes), false);
    records = records.subspan(bytes);
  }
}

void LineFetcher::add_range(std::span<const std::byte> references, bool is_open) {
  if (ranges_.size() == range_count_) ranges_.emplace_back();
  ReferenceRange& range = ranges_[range_count_++];
  range.references = references;
  range.is_open = is_open;
  range.begins_with_duplicate = seam_.repeats_key(references);
  range.in_order = !verify_ || seam_.may_follow(references);
  seam_.pass(references);
}

void LineFetcher::read_ranges() {
  parallel_for(0, range_count_, [&](std::size_t i) { reader_.read(ranges_[i]); });
  for (std::size_t i = 0; i < range_count_; ++i) {
    if (!ranges_[i].in_order) throw_output_fault("the sorted lines are not in order");
    dropped_ += ranges_[i].dropped;
  }
}

Record LineFetcher::first_record(std::span<const std::byte> records) const {
  const std::uint64_t stored = stored_length(order_.layout(), records.data(), records.data() + records.size());
  return records.first(static_cast<std::size_t>(stored));
}

// How many leading bytes of `records` have the keys of `member`.
std::size_t LineFetcher::end_of_group(std::span<const std::byte> records, Record member) const {
  std::size_t bytes = 0;
  while (bytes < records.size()) {
    const Record record = first_record(records.subspan(bytes));
    if (!reader_.equal_keys()(member, record)) break;
    bytes += record.size();
  }
  return bytes;
}

std::size_t LineFetcher::begin_of_last_group(std::span<const std::byte> records) const {
  const Record last = last_record(order_.layout(), records);
  std::size_t begin = records.size() - last.size();
  while (begin > 0) {
    const Record record = last_record(order_.layout(), records.first(begin));
    if (!reader_.equal_keys()(last, record)) break;
    begin -= record.size();
  }
  return begin;
}

void LineFetcher::order_waiting() {
  if (!reader_.order_group(waiting_)) throw_output_fault("the sorted lines are not in order");
  cut_into_pieces(reader_.records(), waiting_, pieces_);
}

// Passes the lines on batch by batch.
void LineFetcher::pass_on(const Consumer& consumer) {
  for (std::size_t begin = 0, end = 0; begin < pieces_.size(); begin = end) {
    std::uint64_t bytes = pieces_[begin].bytes;
    for (end = begin + 1; end < pieces_.size() && bytes + pieces_[end].bytes <= kBatchBytes; ++end) {
      bytes += pieces_[end].bytes;
    }
    consumer(fetch_batch(std::span(pieces_).subspan(begin, end - begin)));
  }
  pieces_.clear();
}

// Lines that lie one after another already are not copied.
std::span<const std::byte> LineFetcher::fetch_batch(std::span<const FetchPiece> pieces) {
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
    lines = reader_.records().bytes().subspan(pieces[0].first_offset(), bytes);
  } else {
    MemoryRegion& batch = batches_[next_batch_++ % batches_.size()];
    if (batch.size() == 0) batch = MemoryRegion(kBatchBytes);
    lines = target = batch.bytes().first(bytes);
  }
  kept_ += parallel_reduce(
      pieces.size(), RecordTotals{},
      [&](std::size_t i, RecordTotals sum) {
        const auto place = lines.subspan(begins[i], pieces[i].bytes);
        sum += adjacent ? totals_of_piece(reader_.records(), pieces[i], place, verify_)
                        : fetch_piece(reader_.records(), pieces[i], target.subspan(begins[i], place.size()), verify_);
        return sum;
      },
      [](RecordTotals a, const RecordTotals& b) { return a += b; });
  return lines;
}

}  // namespace sortie
