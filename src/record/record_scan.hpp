// Walks over records in bytes, one after another or slice by slice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "record/csv/quoted_records.hpp"
#include "record/layout.hpp"
#include "record/line_ends.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/starts/started_records.hpp"

namespace sortie {

/// Calls visit(offset behind the end of a record) for every record, in order, until it returns false. Preconditions:
/// layout.walked(); bytes are whole records.
template <class Visit>
void for_each_walked_end(const Layout& layout, std::span<const std::byte> bytes, const Visit& visit) {
  if (layout.quoted()) {
    for_each_quoted_end(bytes, layout.syntax, false, visit);
    return;
  }
  if (layout.started()) return for_each_started_end(layout.start, bytes, visit);
  for (std::size_t end = 0; end < bytes.size();) {
    end += first_prefixed_record(bytes.subspan(end)).size();
    if (!visit(end)) return;
  }
}

/// Calls visit(record, stored_length) for every record in order. Precondition: bytes are whole records.
template <class Visit>
void for_each_record(const Layout& layout, std::span<const std::byte> bytes, Visit&& visit) {
  if (layout.walked()) {
    std::size_t begin = 0;
    return for_each_walked_end(layout, bytes, [&](std::size_t end) {
      visit(bytes.data() + begin, static_cast<std::uint64_t>(end - begin));
      begin = end;
      return true;
    });
  }
  if (!layout.delimited()) {
    for (std::size_t at = 0; at < bytes.size(); at += layout.record_bytes) {
      visit(bytes.data() + at, layout.record_bytes);
    }
    return;
  }
  std::uint32_t ends[4 * kLeastLineEnds];
  const std::byte* record = bytes.data();
  while (!bytes.empty()) {
    const LineEnds found = find_line_ends(bytes, layout.delimiter, ends);
    for (std::size_t i = 0; i < found.count; ++i) {
      const std::byte* const end = bytes.data() + ends[i];
      visit(record, static_cast<std::uint64_t>(end - record));
      record = end;
    }
    bytes = bytes.subspan(found.scanned);
  }
}

/// Bytes of ranges that lie one behind the other.
inline std::size_t bytes_of(std::span<const std::span<const std::byte>> ranges) {
  if (ranges.empty()) return 0;
  return static_cast<std::size_t>(ranges.back().data() - ranges.front().data()) + ranges.back().size();
}

/// The first record of `bytes`. Preconditions: bytes are whole records, at least one; plain framing.
inline std::span<const std::byte> first_record(const Layout& layout, std::span<const std::byte> bytes) {
  return bytes.first(static_cast<std::size_t>(stored_length(layout, bytes.data(), bytes.data() + bytes.size())));
}

/// How many bytes lie in front of the first record for which `belongs(record)` is false; bytes.size() if there is none.
/// Looks at one record after another. Preconditions: bytes are whole records; plain framing.
template <class Belongs>
std::size_t leading_bytes(const Layout& layout, std::span<const std::byte> bytes, const Belongs& belongs) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::span<const std::byte> record = first_record(layout, bytes.subspan(at));
    if (!belongs(record)) break;
    at += record.size();
  }
  return at;
}

/// Calls visit(slice) for consecutive slices of `bytes`, whole records of `slice_bytes` or little more. Precondition:
/// slice_bytes > 0.
template <class Byte, class Visit>
void for_each_slice(const Layout& layout, std::span<Byte> bytes, std::size_t slice_bytes, const Visit& visit) {
  while (!bytes.empty()) {
    const std::size_t size = boundary_at_or_after(layout, bytes, std::min(bytes.size(), slice_bytes));
    visit(bytes.first(size));
    bytes = bytes.subspan(size);
  }
}

}  // namespace sortie
