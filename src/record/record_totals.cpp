#include "record/record_totals.hpp"

#include <functional>

#include "base/parallel.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kTotalledBytes = 256 << 10;

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

}  // namespace sortie
