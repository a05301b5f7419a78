// Finds where records of CSV end, 64 bytes at a time: a newline within quotes ends none. What a quote means depends on
// all that comes before it in its record, by RFC 4180, and otherwise as most readers take it:
//
//   at the begin of a field    opens a quoted field
//   in a quoted field          closes it; two in a row are one that belongs to the field
//   anywhere else              is a byte like others: 5" disk, "a"b"c
//
// Used by all that walks over records in quoted_records.hpp; unquoted_record.cpp reads fields by the same rules.
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace sortie
