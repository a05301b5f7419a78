// Walks over records in bytes, and cuts bytes into ranges of whole records: for parallel work, and for parts and blocks
// of some size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/csv/quoted_records.hpp"
#include "record/layout.hpp"
#include "record/line_ends.hpp"

namespace sortie {

/// Calls visit(record, stored_length) for every record in order. Precondition: bytes are whole records.
template <class Visit>
void for_each_record(const Layout& layout, std::span<const std::byte> bytes, Visit&& visit) {
  if (!layout.delimited()) {
    for (std::size_t at = 0; at < bytes.size(); at += layout.record_bytes) {
      visit(bytes.data() + at, layout.record_bytes);
    }
    return;
  }
  if (layout.quoted) {
    std::size_t begin = 0;
    for_each_quoted_end(bytes, layout.separator, false, [&](std::size_t end) {
      visit(bytes.data() + begin, static_cast<std::uint64_t>(end - begin));
      begin = end;
      return true;
    });
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

/// Bytes of the leading records that fit into `most` bytes; those of the first record if it does not fit.
/// Preconditions: bytes are whole records, at least one; not quoted.
std::size_t records_within(const Layout& layout, std::span<const std::byte> bytes, std::uint64_t most);

/// At most `wanted` consecutive ranges of about equal size that cover `bytes`, none of them empty.
std::vector<std::span<const std::byte>> split_records(const Layout& layout, std::span<const std::byte> bytes,
                                                      std::size_t wanted);

}  // namespace sortie
