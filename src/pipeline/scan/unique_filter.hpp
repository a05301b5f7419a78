// Drops all but the first of records with equal keys from parts that come in order, also where the first is in the part
// before. Used by the plain finisher and on the way into runs. Also where groups of neighbouring records begin and end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "pipeline/scan/repeat_filter.hpp"
#include "pipeline/scan/sorted_scan.hpp"
#include "record/record_order.hpp"
#include "record/record_scan.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class UniqueFilter final : public RepeatFilter {
 public:
  /// `codec`: of the records, which keep their keys; it must outlive this.
  UniqueFilter(const RecordCodec& codec, bool checksum)
      : RepeatFilter(codec, "drop duplicates"), checksum_(checksum), numbers_(is_number_order(codec.order())) {}

 private:
  Filtered filter(const SortedRange& range, std::span<std::byte> part) const override {
    return numbers_ ? filter_numbers(range, part) : filter_records(range, part);
  }
  Filtered filter_records(const SortedRange& range, std::span<std::byte> part) const;
  Filtered filter_numbers(const SortedRange& range, std::span<std::byte> part) const;

  bool checksum_;
  bool numbers_;
};

/// Bytes are cut between groups of neighbouring records, such as ties or lines with equal keys. same(a, b) says whether
/// a record and one behind it belong together. Used where a group is put in order: by TieStage and by the finisher that
/// fetches lines.
///
///   | a  a | b  b  b | c | d  d |
///          ^         ^   ^            cuts may be here
///
/// How many leading bytes of `records`, which must be whole, belong to the group of `member`.
template <class Same>
std::size_t bytes_of_group(const Layout& layout, std::span<const std::byte> records, Record member, const Same& same) {
  return leading_bytes(layout, records, [&](Record record) { return same(member, record); });
}

/// Offset of the group at the end of `records`, which must be whole, at least one.
template <class Same>
std::size_t begin_of_last_group(const Layout& layout, std::span<const std::byte> records, const Same& same) {
  const Record last = last_record(layout, records);
  std::size_t begin = records.size() - last.size();
  while (begin > 0) {
    const Record record = last_record(layout, records.first(begin));
    if (!same(record, last)) break;
    begin -= record.size();
  }
  return begin;
}

/// Calls visit(range) for consecutive ranges of `records`, whole groups of `range_bytes` or more.
template <class Byte, class Same, class Visit>
void for_each_range_of_groups(const Layout& layout, std::span<Byte> records, std::size_t range_bytes, const Same& same,
                              const Visit& visit) {
  while (!records.empty()) {
    std::size_t bytes = boundary_at_or_after(layout, records, std::min(records.size(), range_bytes));
    bytes += bytes_of_group(layout, records.subspan(bytes), last_record(layout, records.first(bytes)), same);
    visit(records.first(bytes));
    records = records.subspan(bytes);
  }
}

}  // namespace sortie
