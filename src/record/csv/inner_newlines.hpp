// Keeps a record that holds newlines as one line while it is sorted: another byte stands in their places, and the
// places are written down in front. A record without newlines gets a single byte more.
//
//   | gap | gap | ... | 0 | the record, its inner newlines replaced |
//
// A gap is the number of bytes between a newline and the one before it, or the start of the record. It is written six
// bits a byte, the low ones first, with the high bit set, and 0x40 set if more bytes follow. Used by the line
// decorator.
#pragma once

#include <cstddef>
#include <span>

#include "record/record_order.hpp"

namespace sortie {

/// Bytes that write_as_line() may write for a record of `size` bytes.
constexpr std::size_t line_room(std::size_t size) { return 2 * size + 1; }

/// Writes `record`, which ends in a newline, so that it holds no other; returns the byte behind it.
std::byte* write_as_line(Record record, std::byte* out);

/// Offset of the record in `line`, which begins where write_as_line() began.
std::size_t record_offset(Record line);

/// The record in `line`, which begins where write_as_line() began, with its newlines: they are put back in place.
Record restore_newlines(std::span<std::byte> line);

}  // namespace sortie
