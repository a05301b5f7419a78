// Reads any text as CSV and compares with a reader that goes byte by byte: where records end, alone and in ranges for
// parallel work; what their fields hold; and records that are turned into single lines and back.
//
//   | separator | ranges wanted | text |
#include <string>
#include <vector>

#include "fuzz/fuzz_target.hpp"
#include "record/csv/csv_oracle.hpp"
#include "record/csv/quote_scanner.hpp"
#include "record/csv/quoted_records.hpp"
#include "record/record_scan.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using fuzz::require;
using test::as_bytes;
using test::CsvText;

void check_ends(std::string_view text, CsvSyntax syntax, const CsvText& csv) {
  std::size_t record = 0;
  std::size_t behind = 0;
  const QuotesSeen quotes = for_each_quoted_end(as_bytes(text), syntax, false, [&](std::size_t end) {
    require(record < csv.records.size(), "no more records than there are");
    behind += csv.records[record++].raw.size();
    require(end == behind, "a record ends at the newline outside of quotes");
    return true;
  });
  require(record == csv.records.size(), "every record is found");
  require(quotes.inside == csv.inside_quotes, "an open quote at the end is noticed");
  require(quotes.fault == csv.has_fault, "text behind a closing quote is noticed");
  require(find_quote_fault(as_bytes(text), syntax, true).has_value() == (csv.has_fault || csv.inside_quotes),
          "a fault is found");
  require(count_records({.framing = Framing::kQuoted, .syntax = syntax}, as_bytes(text)) == record,
          "records are counted");
}

void check_ranges(std::string_view text, CsvSyntax syntax, const CsvText& csv, std::size_t wanted) {
  const QuotedRanges cut = cut_quoted_records(as_bytes(text), syntax, wanted);
  require(cut.inside_quotes == csv.inside_quotes, "an open quote is noticed in ranges too");
  require(cut.has_fault == csv.has_fault, "text behind a closing quote is noticed in ranges too");
  require(bytes_of(cut.ranges) == text.size() - csv.rest.size(), "ranges cover all whole records");
  std::size_t record = 0;
  for (const auto range : cut.ranges) {
    std::string_view rest = as_text(range);
    require(!rest.empty(), "no range is empty");
    while (!rest.empty()) {
      require(record < csv.records.size() && rest.starts_with(csv.records[record].raw), "a range has whole records");
      rest.remove_prefix(csv.records[record++].raw.size());
    }
  }
}

void check_record(std::string_view record, const std::vector<std::string>& values, CsvSyntax syntax) {
  require(field_values(without_line_end(record), syntax) == values, "fields hold what a plain reader finds");
  std::string line(line_room(record.size()), '\0');
  std::byte* const begin = test::as_writable(line).data();
  const std::byte* const end = write_as_line(as_bytes(record), begin);
  line.resize(static_cast<std::size_t>(end - begin));
  require(line.find('\n') == line.size() - 1, "a record is kept as one line");
  require(as_text(restore_newlines(test::as_writable(line))) == record, "a record comes back as it was");
}

void check(fuzz::InputReader input) {
  const char separator = static_cast<char>(input.byte());
  const std::size_t wanted = 1 + input.byte() % 16;
  // validate() refuses these as separators.
  if (separator == '"' || separator == '\n' || separator == '\r') return;
  const std::string_view text = input.rest();
  for (const Quoting quoting : {Quoting::kCsv, Quoting::kBackslash}) {
    const CsvSyntax syntax(separator, quoting);
    if (separator == '\\' && syntax.has_backslashes()) continue;
    const CsvText csv = test::read_csv(text, syntax);
    check_ends(text, syntax, csv);
    check_ranges(text, syntax, csv, wanted);
    for (const test::CsvRecord& record : csv.records) check_record(record.raw, record.values, syntax);
  }
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check({data, size});
  return 0;
}
