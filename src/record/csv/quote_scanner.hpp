// Finds where records of CSV end, 64 bytes at a time: a newline within quotes ends none. What a quote means depends on
// all that comes before it in its record:
//
//   at the begin of a field    opens a quoted field
//   in a quoted field          closes it; two in a row are one that belongs to the field
//   in any other field         is a byte like others: 5" disk
//
// With Quoting::kBackslash a backslash in a quoted field takes the meaning of the byte behind it away, and two quotes
// in a row mean nothing. A separator or the end of the record must follow a closing quote: anything else is a fault,
// and the rest of the field is then taken as if it had no quotes.
//
// Used by all that walks over records, and reads fields, in quoted_records.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "record/csv/csv_syntax.hpp"

namespace sortie {

class QuoteScanner {
 public:
  static constexpr std::size_t kBlockBytes = 64;

  /// Starts at the begin of a record, or, if `inside_quotes`, within a quoted field.
  explicit QuoteScanner(CsvSyntax syntax, bool inside_quotes = false)
      : separator_(syntax.separator),
        has_backslashes_(syntax.has_backslashes()),
        state_(inside_quotes ? State::kQuoted : State::kFieldBegin) {}

  /// Bit i: byte i of the next block is the newline at the end of a record.
  std::uint64_t record_ends(const char* block) { return scan(block, kBlockBytes); }

  /// The same for the last block, which has `size` < kBlockBytes bytes. Reads nothing beyond it.
  std::uint64_t record_ends(const char* block, std::size_t size);

  /// The same for one byte.
  bool is_record_end(char byte);

  /// Whether a quoted field is open.
  bool inside_quotes() const { return state_ == State::kQuoted || state_ == State::kEscaped; }

  /// Whether something has followed a closing quote that may not follow it.
  bool has_fault() const { return has_fault_; }

 private:
  enum class State : std::uint8_t {
    kFieldBegin,
    kField,         // a quote is a byte like others
    kQuoted,        // in a quoted field
    kEscaped,       // in a quoted field, behind a backslash
    kBehindQuote,   // the quote has closed the field, or is the first of two
    kBehindReturn,  // "\r" behind a quote that has closed the field
  };

  std::uint64_t scan(const char* block, std::size_t size);
  std::uint64_t step_through(const char* block, std::size_t size);
  State state_behind(char byte);
  State state_behind_closed(char byte);

  char separator_;
  bool has_backslashes_;
  State state_;
  bool has_fault_ = false;
};

/// Keeps a record that holds newlines as one line while it is sorted: another byte stands for each of them, and their
/// positions are written in front. A record without newlines gets a single byte more. Used by the record codec.
///
///   | gap | gap | ... | 0 | the record, its inner newlines replaced |
///
/// A gap is the number of bytes between a newline and the one before it, or the start of the record. It is written six
/// bits a byte, the low ones first, with the high bit set, and 0x40 set if more bytes follow.
///
/// Bytes that write_as_line() may write for a record of `size` bytes.
constexpr std::size_t line_room(std::size_t size) { return 2 * size + 1; }

/// Writes `record`, which ends in a newline, so that it holds no other; returns the byte behind it.
std::byte* write_as_line(std::span<const std::byte> record, std::byte* out);

/// Offset of the record in `line`, which begins where write_as_line() began.
std::size_t record_offset(std::span<const std::byte> line);

/// The record in `line`, which begins where write_as_line() began, with its newlines: they are put back in place.
std::span<const std::byte> restore_newlines(std::span<std::byte> line);

}  // namespace sortie
