#include "record/csv/quoted_records.hpp"

#include <gtest/gtest.h>

#include "record/csv/csv_oracle.hpp"
#include "record/record_scan.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::read_csv;

// Quotes and newlines in every proportion. Most of the text is not well-formed.
constexpr std::string_view kAlphabets[] = {"a\",\n", "abcdefgh,,,\"\n",        "a\"\"\"\"\n,", "a,\n",
                                           "\"\n",   "aaaaaaaaaaaaaaa\",\r\n", "\\\",\n",      "aaaaaaa\\\\\\\",\n"};
constexpr CsvSyntax kSyntaxes[] = {{}, {',', Quoting::kBackslash}};

Layout layout_with(CsvSyntax syntax) { return {.framing = Framing::kQuoted, .syntax = syntax}; }

std::vector<std::string> texts() {
  std::vector<std::string> texts = {"", "\n", "\"", "a", "\"\n\"\n", "5\" disk,1\n3\" disk,2\n"};
  std::uint64_t seed = 1;
  for (const std::string_view alphabet : kAlphabets) {
    for (const std::size_t bytes : {1, 10, 63, 64, 65, 128, 1000, 20000}) {
      texts.push_back(test::random_csv(bytes, seed++, alphabet));
    }
  }
  for (const std::string_view line_end : {"\n", "\r\n"}) texts.push_back(test::well_formed_csv(1000, seed++, line_end));
  return texts;
}

std::vector<std::pair<std::string, CsvSyntax>> texts_and_syntaxes() {
  std::vector<std::pair<std::string, CsvSyntax>> cases;
  for (const std::string& text : texts()) {
    for (const CsvSyntax& syntax : kSyntaxes) cases.emplace_back(text, syntax);
  }
  return cases;
}

std::size_t whole_bytes(const test::CsvText& csv, std::string_view text) { return text.size() - csv.rest.size(); }

TEST(QuotedRecords, EndWhereAByteByByteReaderEndsThem) {
  for (const auto& [text, syntax] : texts_and_syntaxes()) {
    const test::CsvText csv = read_csv(text, syntax);
    std::vector<std::size_t> expected;
    for (const auto& record : csv.records) {
      expected.push_back(static_cast<std::size_t>(record.raw.data() - text.data()) + record.raw.size());
    }
    std::vector<std::size_t> ends;
    const QuotesSeen quotes = for_each_quoted_end(as_bytes(text), syntax, false, [&](std::size_t end) {
      ends.push_back(end);
      return true;
    });
    EXPECT_EQ(ends, expected) << text;
    EXPECT_EQ(quotes.inside, csv.inside_quotes) << text;
    EXPECT_EQ(quotes.fault, csv.has_fault) << text;
    EXPECT_EQ(find_quote_fault(as_bytes(text), syntax, false).has_value(), csv.has_fault) << text;
    EXPECT_EQ(find_quote_fault(as_bytes(text), syntax, true).has_value(), csv.has_fault || csv.inside_quotes) << text;
    EXPECT_EQ(count_records(layout_with(syntax), as_bytes(text)), csv.records.size());
  }
}

TEST(QuotedRecords, AreCutIntoRangesThatBeginWithARecord) {
  for (const auto& [text, syntax] : texts_and_syntaxes()) {
    const test::CsvText csv = read_csv(text, syntax);
    for (const std::size_t wanted : {1, 2, 3, 7, 100}) {
      const QuotedRanges cut = cut_quoted_records(as_bytes(text), syntax, wanted);
      EXPECT_EQ(cut.inside_quotes, csv.inside_quotes) << text;
      EXPECT_EQ(cut.has_fault, csv.has_fault) << text;
      EXPECT_EQ(bytes_of(cut.ranges), whole_bytes(csv, text)) << text;
      EXPECT_LE(cut.ranges.size(), wanted);
      std::size_t record = 0;
      for (const auto range : cut.ranges) {
        EXPECT_FALSE(range.empty());
        for (std::string_view rest = as_text(range); !rest.empty(); ++record) {
          ASSERT_LT(record, csv.records.size()) << text;
          ASSERT_TRUE(rest.starts_with(csv.records[record].raw)) << text;
          rest.remove_prefix(csv.records[record].raw.size());
        }
      }
      EXPECT_EQ(record, csv.records.size());
    }
  }
}

TEST(QuotedRecords, AreCutIntoManyRangesWhereQuotesHoldNewlines) {
  const std::string text = test::well_formed_csv(20000, 5);
  EXPECT_EQ(cut_quoted_records(as_bytes(text), ',', 50).ranges.size(), 50U);
}

TEST(QuotedRecords, AreCountedFromTheFront) {
  for (const std::string& text : texts()) {
    const test::CsvText csv = read_csv(text);
    const auto records = as_bytes(text).first(whole_bytes(csv, text));
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < csv.records.size() && i < 20; ++i) {
      EXPECT_EQ(first_records(layout_with({}), records, i), bytes);
      bytes += csv.records[i].raw.size();
    }
    EXPECT_EQ(first_records(layout_with({}), records, csv.records.size() + 1), records.size());
  }
}

TEST(QuotedRecords, HaveTheirFirstFaultNamedWithItsField) {
  const auto fault_in = [](std::string_view text, CsvSyntax syntax, bool at_end) {
    const std::optional<QuoteFault> fault = find_quote_fault(as_bytes(std::string(text)), syntax, at_end);
    return fault ? std::vector<std::size_t>{fault->at, fault->field_begin, fault->is_open ? 1U : 0U}
                 : std::vector<std::size_t>{};
  };
  using Positions = std::vector<std::size_t>;
  EXPECT_EQ(fault_in("a,\"b\"\n\"c\"\"d\" e,\"f\" g\n", {}, true), (Positions{12, 6, 0}));
  EXPECT_EQ(fault_in("\"a\"\r\r\n", {}, true), (Positions{4, 0, 0}));
  EXPECT_EQ(fault_in("a,\"b\"\r\nc,\"d\n", {}, true), (Positions{9, 9, 1}));
  EXPECT_EQ(fault_in("a,\"b\"\r\nc,\"d\n", {}, false), Positions());
  EXPECT_EQ(fault_in("\"a \\\" b\"\"\n", {',', Quoting::kBackslash}, true), (Positions{8, 0, 0}));
  EXPECT_EQ(fault_in("\"a \\\"\n", {',', Quoting::kBackslash}, true), (Positions{0, 0, 1}));
}

TEST(QuotedRecords, HaveABoundaryAtOrAfterEveryPosition) {
  const std::string text = test::well_formed_csv(50, 3);
  std::size_t begin = 0;
  EXPECT_EQ(boundary_at_or_after(layout_with({}), as_bytes(text), 0), 0U);
  for (const auto& record : read_csv(text).records) {
    const std::size_t end = begin + record.raw.size();
    for (std::size_t position = begin + 1; position <= end; ++position) {
      EXPECT_EQ(boundary_at_or_after(layout_with({}), as_bytes(text), position), end);
    }
    begin = end;
  }
}

}  // namespace
}  // namespace sortie
