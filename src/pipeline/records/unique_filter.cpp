#include "pipeline/records/unique_filter.hpp"

#include <cstring>
#include <utility>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "record/number_order.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kRangeBytes = 256 << 10;

// Moves numbers that differ from the one before them to the front, without branches. Returns the bytes they take.
// Numbers with equal keys have equal bits.
template <class Word>
std::size_t keep_changes(std::span<std::byte> numbers, Record before) {
  auto previous = before.empty() ? static_cast<Word>(~load_as<Word>(numbers.data())) : load_as<Word>(before.data());
  std::size_t kept = 0;
  for (std::size_t at = 0; at < numbers.size(); at += sizeof(Word)) {
    const auto number = load_as<Word>(numbers.data() + at);
    store_as(numbers.data() + kept, number);
    kept += number != previous ? sizeof(Word) : 0;
    previous = number;
  }
  return kept;
}

}  // namespace

UniqueFilter::UniqueFilter(const Format& format, const RecordOrder& order, bool checksum,
                           const LineDecorator* decorator)
    : format_(format),
      order_(order),
      checksum_(checksum),
      decorator_(decorator),
      equal_keys_(order, decorator),
      numbers_(is_number_order(order)) {}

std::span<std::byte> UniqueFilter::apply(std::span<std::byte> part) {
  if (part.empty()) return part;
  std::vector<Range> ranges = cut(part);
  const Record last = last_record(order_.layout(), part);
  last_.assign(last.begin(), last.end());
  parallel_for(0, ranges.size(), [&](std::size_t i) { filter(ranges[i]); });
  std::byte* target = part.data();
  for (const Range& range : ranges) {
    if (target != range.bytes.data()) std::memmove(target, range.bytes.data(), range.kept_bytes);
    target += range.kept_bytes;
    dropped_ += range.dropped;
  }
  return part.first(static_cast<std::size_t>(target - part.data()));
}

std::vector<UniqueFilter::Range> UniqueFilter::cut(std::span<std::byte> part) const {
  std::vector<Range> ranges;
  std::vector<std::byte> before = last_;
  for (const auto bytes : split_records(order_.layout(), part, part.size() / kRangeBytes + 1)) {
    const auto begin = static_cast<std::size_t>(bytes.data() - part.data());
    ranges.push_back({part.subspan(begin, bytes.size()), std::move(before), 0, {}});
    const Record last = last_record(order_.layout(), bytes);
    before.assign(last.begin(), last.end());
  }
  return ranges;
}

void UniqueFilter::filter(Range& range) const {
  if (numbers_) {
    filter_numbers(range);
  } else {
    filter_records(range);
  }
}

void UniqueFilter::filter_records(Range& range) const {
  Record kept = range.before;
  std::byte* target = range.bytes.data();
  for_each_record(order_.layout(), range.bytes, [&](const std::byte* data, std::uint64_t stored) {
    const Record record(data, static_cast<std::size_t>(stored));
    if (!kept.empty() && equal_keys_(kept, record)) {
      const auto offset = static_cast<std::size_t>(data - range.bytes.data());
      range.dropped += totals_of_dropped(range.bytes.subspan(offset, record.size()));
      return;
    }
    // The source lies at or behind the target, and everything before it has been looked at.
    if (target != data) std::memmove(target, data, record.size());
    kept = {target, record.size()};
    target += record.size();
  });
  range.kept_bytes = static_cast<std::size_t>(target - range.bytes.data());
}

RecordTotals UniqueFilter::totals_of_dropped(std::span<std::byte> record) const {
  if (decorator_ == nullptr) return range_totals(format_, record, checksum_);
  return range_totals(decorator_->line_format(), decorator_->restore(record), checksum_);
}

void UniqueFilter::filter_numbers(Range& range) const {
  const auto number_bytes = static_cast<std::size_t>(order_.layout().record_bytes);
  const bool follows_equal =
      !range.before.empty() && std::memcmp(range.before.data(), range.bytes.data(), number_bytes) == 0;
  range.kept_bytes = range.bytes.size();
  if (!follows_equal && !find_number_disorder(order_, range.bytes, true)) return;
  const RecordTotals whole = range_totals(format_, range.bytes, checksum_);
  range.kept_bytes = number_bytes == 4 ? keep_changes<std::uint32_t>(range.bytes, range.before)
                                       : keep_changes<std::uint64_t>(range.bytes, range.before);
  range.dropped = whole - range_totals(format_, range.bytes.first(range.kept_bytes), checksum_);
}

}  // namespace sortie
