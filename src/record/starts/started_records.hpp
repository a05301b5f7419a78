// Walks over records of several lines that begin at the lines which match a RecordStart: what record_scan.hpp and
// layout.hpp do for other records. They call this for layouts with a record start. Lines in front of the first that
// matches are a record of their own. Where a record ends shows only when the next one begins, or where its input ends.
//
//   | 12:00 error      | 12:01 ready | 12:02 err
//   |   at main.cpp:12 |             |
//   | record           | record      | not known to be whole
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sortie/record_start.hpp>

namespace sortie {

/// The first whole line that begins at `position` or behind it and begins a record; bytes.size() if there is none.
/// Precondition: a line begins at the begin of the bytes.
std::size_t start_at_or_after(const RecordStart& start, std::span<const std::byte> bytes, std::size_t position);

/// The begin of the last record that begins with a whole line, which may go on behind `bytes`: 0 if it is the first.
std::size_t last_start(const RecordStart& start, std::span<const std::byte> bytes);

/// Calls visit(offset behind the end of a record) for every record, in order, until it returns false. Precondition:
/// bytes are whole records.
template <class Visit>
void for_each_started_end(const RecordStart& start, std::span<const std::byte> bytes, const Visit& visit) {
  for (std::size_t end = 0; end < bytes.size();) {
    end = start_at_or_after(start, bytes, end + 1);
    if (!visit(end)) return;
  }
}

}  // namespace sortie
