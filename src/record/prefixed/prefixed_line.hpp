// A length-prefixed record as an encoded line, so that engines, runs and merges need not know of it. Its key is the
// key of the line, its payload takes the place of the line's text. The header follows from the two.
//
//   record   | key length | payload length | key | payload |
//   line     | key, escaped | end | position | payload, stuffed | delimiter |
//
// Used by the record codec. The key is escaped by KeyWriter, the payload is stuffed by stuffed_record.hpp.
#pragma once

#include <cstddef>
#include <span>

#include "record/record_order.hpp"
#include "record/text/key_writer.hpp"

namespace sortie {

/// Writes the payload of `record` and the delimiter; returns the byte behind it. Writes at most
/// stuffed_record_room(record.size()) bytes.
std::byte* write_prefixed_payload(Record record, std::byte* out);

/// Where the parts of a line are, as bytes that may be changed or not.
template <class Byte>
struct PrefixedLine {
  std::span<Byte> key;      ///< without its end mark
  std::span<Byte> payload;  ///< with the delimiter
};

/// Length of the record that `line` was made of.
std::size_t prefixed_record_bytes(const PrefixedLine<const std::byte>& line, const KeyWriter& writer);

/// Restores the record in the bytes of `line`, which are changed.
Record restore_prefixed_record(const PrefixedLine<std::byte>& line, const KeyWriter& writer);

}  // namespace sortie
