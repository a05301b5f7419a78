#include "record/record_totals.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>

#include "base/parallel.hpp"
#include "base/size.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kTotalledBytes = 256 << 10;

/// Bytes of `slice`, which starts `offset` bytes into the piece, before the first record that begins in it.
std::size_t bytes_before_record(const Layout& layout, std::span<const std::byte> slice, std::size_t offset) {
  if (!layout.delimited()) return round_up(offset, layout.record_bytes) - offset;
  if (offset == 0) return 0;
  const void* const delimiter = std::memchr(slice.data(), layout.delimiter, slice.size());
  if (delimiter == nullptr) return slice.size();
  return static_cast<std::size_t>(static_cast<const std::byte*>(delimiter) - slice.data()) + 1;
}

}  // namespace

RecordTotals range_totals(const Format& format, std::span<const std::byte> bytes, bool checksum) {
  const Layout layout = layout_of(format);
  RecordTotals totals;
  totals.bytes = bytes.size();
  if (!checksum) {
    totals.records = count_records(layout, bytes);
  } else if (format.kind == RecordKind::kArray) {
    totals.records = count_records(layout, bytes);
    totals.checksum = checksum_numbers(bytes, static_cast<std::size_t>(format.record_bytes));
  } else {
    for_each_record(layout, bytes, [&](const std::byte* record, std::uint64_t stored) {
      ++totals.records;
      totals.checksum += hash_record({record, static_cast<std::size_t>(stored)});
    });
  }
  return totals;
}

RecordTotals totals_of(const Format& format, std::span<const std::byte> bytes, bool checksum) {
  if (!checksum && format.kind != RecordKind::kLines) return range_totals(format, bytes, false);
  return totals_of_ranges(format, split_records(layout_of(format), bytes, bytes.size() / kTotalledBytes + 1), checksum);
}

RecordTotals totals_of_ranges(const Format& format, std::span<const std::span<const std::byte>> ranges, bool checksum) {
  return parallel_reduce(
      ranges.size(), RecordTotals{},
      [&](std::size_t i, RecordTotals sum) { return sum += range_totals(format, ranges[i], checksum); }, std::plus<>());
}

void SliceTotals::start(const std::byte* begin) {
  piece_ = begin;
  counted_.clear();
}

void SliceTotals::add(std::span<const std::byte> slice) {
  if (layout_.walked()) return;  // where its records begin depends on all that comes before it
  const auto offset = static_cast<std::size_t>(slice.data() - piece_);
  const std::size_t skipped = std::min(bytes_before_record(layout_, slice, offset), slice.size());
  const std::span<const std::byte> rest = slice.subspan(skipped);
  const std::span<const std::byte> whole = rest.first(whole_records(layout_, rest));
  if (whole.empty()) return;
  const RecordTotals totals = range_totals(format_, whole, checksum_);
  const std::scoped_lock lock(mutex_);
  counted_.push_back({offset + skipped, offset + skipped + whole.size(), totals});
}

RecordTotals SliceTotals::finish(std::size_t bytes) {
  std::sort(counted_.begin(), counted_.end(), [](const Counted& a, const Counted& b) { return a.begin < b.begin; });
  RecordTotals totals;
  std::size_t done = 0;
  const auto count_up_to = [&](std::size_t end) {
    if (end > done) totals += totals_of(format_, {piece_ + done, end - done}, checksum_);
    done = end;
  };
  for (const Counted& slice : counted_) {
    assert(slice.begin >= done && slice.end <= bytes);
    count_up_to(slice.begin);
    totals += slice.totals;
    done = slice.end;
  }
  count_up_to(bytes);
  return totals;
}

}  // namespace sortie
