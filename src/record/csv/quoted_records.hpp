// Walks over records of CSV, and cuts them into ranges for parallel work: what record_scan.hpp and layout.hpp do for
// other records. They call this for layouts with quotes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/csv/quote_scanner.hpp"

namespace sortie {

/// What is known of quotes where a walk over records ends.
struct QuotesSeen {
  bool inside = false;  ///< a quoted field is open; false if the walk was stopped
  bool fault = false;   ///< somewhere, at most 64 bytes further on, something follows a closing quote that may not
};

/// Calls visit(offset behind the end of a record) for every record that ends in `bytes`, in order, until it returns
/// false. `inside_quotes`: whether a quoted field is open where the bytes begin; else a record begins there.
/// Precondition: syntax.has_quotes().
template <class Visit>
QuotesSeen for_each_quoted_end(std::span<const std::byte> bytes, CsvSyntax syntax, bool inside_quotes, Visit&& visit) {
  QuoteScanner scanner(syntax, inside_quotes);
  const auto* const text = reinterpret_cast<const char*>(bytes.data());
  for (std::size_t at = 0; at < bytes.size(); at += QuoteScanner::kBlockBytes) {
    const std::size_t left = bytes.size() - at;
    std::uint64_t ends =
        left >= QuoteScanner::kBlockBytes ? scanner.record_ends(text + at) : scanner.record_ends(text + at, left);
    for (; ends != 0; ends &= ends - 1) {
      if (!visit(at + static_cast<std::size_t>(std::countr_zero(ends)) + 1)) return {false, scanner.has_fault()};
    }
  }
  return {scanner.inside_quotes(), scanner.has_fault()};
}

struct QuotedRanges {
  /// One behind the other, made of whole records, none empty.
  std::vector<std::span<const std::byte>> ranges;
  /// Whether a quoted field is open where the bytes end.
  bool inside_quotes = false;
  /// Whether something follows a closing quote that may not: see find_quote_fault().
  bool has_fault = false;
};

/// Cuts all whole records of `bytes`, which begin with one, into at most `wanted` ranges of about equal size. Parallel.
///
///   bytes      | record | record "  \n  | record | rec \n "ord \n  | record | rest
///   sections   |                    |           |          |                      begin behind any newline
///   ranges     |                        |       |              |            |     begin with a record
QuotedRanges cut_quoted_records(std::span<const std::byte> bytes, CsvSyntax syntax, std::size_t wanted);

/// All whole records of `bytes`, which begin with one, cut as suits the machine. Parallel.
QuotedRanges find_quoted_records(std::span<const std::byte> bytes, CsvSyntax syntax);

/// Quotes that make no sense: `at` is the quote that opens a field and is not closed, or the byte behind a closing
/// quote that may not follow it; `field_begin` is the quote that opens the field. Offsets.
struct QuoteFault {
  bool is_open = false;
  std::size_t at = 0;
  std::size_t field_begin = 0;
};

/// The first fault in `bytes`, which begin with a record. `at_end`: the input ends with them, so that an open field is
/// a fault. Goes byte by byte, for messages.
std::optional<QuoteFault> find_quote_fault(std::span<const std::byte> bytes, CsvSyntax syntax, bool at_end);

/// A record of CSV with its quotes taken off: the values of its fields, with the separator between them. A value may
/// hold the separator, so the offsets of the fields' ends count. Used by the field finder, and for columns' names.
struct UnquotedRecord {
  std::string text;
  std::vector<std::size_t> ends;  ///< offset in `text` of each separator between fields
};

/// The record without what ends it, "\n" or "\r\n".
std::string_view without_line_end(std::string_view record);

/// Whether a field begins and ends with a quote, though quotes mean nothing. `record` may have its line end.
bool has_quoted_field(std::string_view record, char separator);

/// Unquotes `record`, which is without line end, into `unquoted`, whose contents are replaced. `wanted`: how many
/// fields' ends are wanted; nothing behind the last of them is read.
void unquote_record(std::string_view record, CsvSyntax syntax, std::size_t wanted, UnquotedRecord& unquoted);

/// The values of all fields. `record` is without line end.
std::vector<std::string> field_values(std::string_view record, CsvSyntax syntax);

/// The text in quotes, with those within it doubled.
std::string in_csv_quotes(std::string_view text);

/// Appends a field with this value, in quotes where it must be. Without quotes it is appended as it is.
void append_csv_field(std::string_view value, const CsvSyntax& syntax, std::string& out);

}  // namespace sortie
