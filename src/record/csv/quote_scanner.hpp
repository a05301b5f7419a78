// Finds where records of CSV end, 64 bytes at a time: a newline within quotes ends none. What a quote means depends on
// all that comes before it in its record, by RFC 4180, and otherwise as most readers take it:
//
//   at the begin of a field    opens a quoted field
//   in a quoted field          closes it; two in a row are one that belongs to the field
//   anywhere else              is a byte like others: 5" disk, "a"b"c
//
// Used by all that walks over records, and reads fields, in quoted_records.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "record/record_order.hpp"

namespace sortie {

class QuoteScanner {
 public:
  static constexpr std::size_t kBlockBytes = 64;

  /// Starts at the begin of a record, or, if `inside_quotes`, within a quoted field.
  explicit QuoteScanner(char separator, bool inside_quotes = false)
      : separator_(separator), state_(inside_quotes ? State::kQuoted : State::kFieldBegin) {}

  /// Bit i: byte i of the next block is the newline at the end of a record.
  std::uint64_t record_ends(const char* block);

  /// The same for the last block, which has `size` < kBlockBytes bytes. Reads nothing beyond it.
  std::uint64_t record_ends(const char* block, std::size_t size);

  /// Whether a quoted field is open.
  bool inside_quotes() const { return state_ == State::kQuoted; }

 private:
  enum class State : std::uint8_t {
    kFieldBegin,
    kField,        // a quote is a byte like others
    kQuoted,       // in a quoted field
    kBehindQuote,  // the quote may have closed the field, or may be the first of two
  };

  std::uint64_t step_through(const char* block);
  State state_behind(char byte) const;

  char separator_;
  State state_;
};

// Keeps a record that holds newlines as one line while it is sorted: another byte stands in their places, and the
// places are written down in front. A record without newlines gets a single byte more.
//
//   | gap | gap | ... | 0 | the record, its inner newlines replaced |
//
// A gap is the number of bytes between a newline and the one before it, or the start of the record. It is written six
// bits a byte, the low ones first, with the high bit set, and 0x40 set if more bytes follow. Used by the line
// decorator.

/// Bytes that write_as_line() may write for a record of `size` bytes.
constexpr std::size_t line_room(std::size_t size) { return 2 * size + 1; }

/// Writes `record`, which ends in a newline, so that it holds no other; returns the byte behind it.
std::byte* write_as_line(Record record, std::byte* out);

/// Offset of the record in `line`, which begins where write_as_line() began.
std::size_t record_offset(Record line);

/// The record in `line`, which begins where write_as_line() began, with its newlines: they are put back in place.
Record restore_newlines(std::span<std::byte> line);

}  // namespace sortie
