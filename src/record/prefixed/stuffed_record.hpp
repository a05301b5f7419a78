// Bytes of any value in place of a line's text: stuffed, so that the delimiter behind them does not occur among them.
// For payloads of length-prefixed records, and for records that are shuffled. Used by the record codec.
//
//   bytes   ->   | bytes, stuffed | delimiter |
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "record/record_order.hpp"

namespace sortie {

/// Ends the lines. Neither it nor its neighbour 0x1F is a frequent byte of text or numbers, and neither are their
/// complements, for descending keys: these four cost a byte more each in a key.
inline constexpr char kStuffedDelimiter = '\x1E';

/// Bytes that write_stuffed() may write for `size` bytes.
std::size_t stuffed_record_room(std::size_t size);

/// Writes `bytes` and the delimiter; returns the byte behind it.
std::byte* write_stuffed(Record bytes, std::byte* out);

/// How many bytes `stuffed` was made of, which includes the delimiter.
std::size_t stuffed_record_bytes(Record stuffed);

/// Restores them within `stuffed`, which includes the delimiter and is changed. They begin behind its first byte.
std::span<std::byte> restore_stuffed(std::span<std::byte> stuffed);

}  // namespace sortie
