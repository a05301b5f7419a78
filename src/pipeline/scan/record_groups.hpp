// Where bytes may be cut between groups of neighbouring records, such as ties or lines with equal keys: used where a
// group is put in order, by TieStage and by the finisher that fetches lines. same(a, b) says whether a record and one
// behind it belong together.
//
//   | a  a | b  b  b | c | d  d |
//          ^         ^   ^            cuts may be here
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "record/record_order.hpp"
#include "record/record_scan.hpp"

namespace sortie {

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
