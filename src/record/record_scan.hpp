// Where records begin and end in bytes: counted, found, split among threads, and walked over one after another or slice
// by slice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/csv/quoted_records.hpp"
#include "record/layout.hpp"
#include "record/line_ends.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/starts/started_records.hpp"

namespace sortie {

/// The largest number of leading bytes that are known to be whole records.
std::size_t whole_records(const Layout& layout, std::span<const std::byte> bytes);

/// How many leading bytes hold `count` records, or all records if there are fewer. Precondition: bytes are whole
/// records.
std::size_t first_records(const Layout& layout, std::span<const std::byte> bytes, std::uint64_t count);

/// The last record of `bytes`, its delimiter included. Preconditions: bytes are whole records, at least one; not
/// quoted, not started.
std::span<const std::byte> last_record(const Layout& layout, std::span<const std::byte> bytes);

/// The first record boundary at or after `position`; bytes.size() if there is none before it.
/// Precondition: bytes are whole records, position <= bytes.size().
std::size_t boundary_at_or_after(const Layout& layout, std::span<const std::byte> bytes, std::size_t position);

/// How many records `bytes` hold. Precondition: they are whole.
std::uint64_t count_records(const Layout& layout, std::span<const std::byte> bytes);

/// Bytes of the leading records that fit into `most` bytes; those of the first record if it does not fit.
/// Preconditions: bytes are whole records, at least one; plain framing.
std::size_t records_within(const Layout& layout, std::span<const std::byte> bytes, std::uint64_t most);

/// At most `wanted` consecutive ranges of about equal size that cover all whole records of `bytes`, none of them empty.
/// Parallel if layout.walked(), else `bytes` must be whole records.
std::vector<std::span<const std::byte>> split_records(const Layout& layout, std::span<const std::byte> bytes,
                                                      std::size_t wanted);

/// All whole records of `bytes`, which begin with one, cut as suits the machine; all bytes if layout.started().
/// Precondition: layout.walked().
std::vector<std::span<const std::byte>> find_walked_records(const Layout& layout, std::span<const std::byte> bytes);

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
