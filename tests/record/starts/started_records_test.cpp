// Records of several lines: where they begin and end.
#include "record/starts/started_records.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "record/record_scan.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;

const RecordStart kDigit("^[0-9]");

Layout started_layout() {
  Format format;
  format.text.record_start = kDigit;
  return layout_of(format);
}

std::vector<std::string> started_records(const std::string& text) {
  std::vector<std::string> records;
  for_each_record(started_layout(), as_bytes(text), [&](const std::byte* record, std::uint64_t bytes) {
    records.emplace_back(reinterpret_cast<const char*>(record), bytes);
  });
  return records;
}

TEST(RecordStart, MatchesLinesThatAreNoUtf8ByTheirBytes) {
  EXPECT_TRUE(RecordStart("^[^ ]").matches("\xe9t\xe9"));
  EXPECT_TRUE(RecordStart("^.$").matches("\xe9"));
  EXPECT_FALSE(RecordStart("^ ").matches("\xe9t\xe9"));
  EXPECT_FALSE(RecordStart("^..$").matches("\xc3\xa4"));
  const RecordStart of_bytes("^..$", RecordStart::Characters::kBytes);
  EXPECT_TRUE(of_bytes.matches("\xc3\xa4"));
  EXPECT_TRUE(of_bytes.matches("\xe9\xe9"));
  EXPECT_FALSE(of_bytes.matches("\xc3\xa4\xe9"));
  EXPECT_FALSE(of_bytes == RecordStart("^..$"));
}

TEST(RecordStart, MatchesAnywhereInALine) {
  EXPECT_TRUE(RecordStart("b").matches("abc"));
  EXPECT_FALSE(RecordStart("^b").matches("abc"));
  EXPECT_TRUE(RecordStart("c$").matches("abc"));
  EXPECT_TRUE(RecordStart("^\xc3\xa4.$").matches("\xc3\xa4\xc3\xb6"));
  EXPECT_FALSE(RecordStart());
  EXPECT_EQ(RecordStart("a"), RecordStart("a"));
  EXPECT_NE(RecordStart("a"), RecordStart());
}

TEST(RecordStart, IsARegularExpression) {
  try {
    RecordStart("a(");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "regular expression 'a(': missing ): a(");
  }
}

TEST(StartedRecords, BeginAtLinesThatMatch) {
  EXPECT_EQ(started_records("1 a\n at x\n at y\n2 b\n3 c\n\n"),
            (std::vector<std::string>{"1 a\n at x\n at y\n", "2 b\n", "3 c\n\n"}));
  EXPECT_EQ(started_records("x\ny\n1 a\n"), (std::vector<std::string>{"x\ny\n", "1 a\n"}));
  EXPECT_EQ(started_records("\n1\n"), (std::vector<std::string>{"\n", "1\n"}));
  EXPECT_TRUE(started_records("").empty());
}

TEST(StartedRecords, AreKnownToBeWholeWhenTheNextBegins) {
  const Layout layout = started_layout();
  EXPECT_EQ(whole_records(layout, as_bytes("1 a\n x\n")), 0U);
  EXPECT_EQ(whole_records(layout, as_bytes("1 a\n x\n2")), 0U) << "the line may go on";
  EXPECT_EQ(whole_records(layout, as_bytes("1 a\n x\n2\n")), 7U);
  EXPECT_EQ(whole_records(layout, as_bytes("x\n")), 0U);
  EXPECT_EQ(whole_records(layout, as_bytes("")), 0U);
}

TEST(StartedRecords, LineEndsDoNotCount) {
  Format format;
  format.text.record_start = RecordStart("^a$");
  EXPECT_EQ(count_records(layout_of(format), as_bytes("a\r\nb\na\n")), 2U);
}

std::string random_text(std::mt19937& random) {
  std::string text;
  for (auto lines = random() % 40; lines > 0; --lines) {
    text += random() % 3 == 0 ? "1" : "x";
    text.append(random() % 5, random() % 2 == 0 ? '2' : 'y').append("\n");
  }
  return text;
}

TEST(StartedRecords, AllWaysToFindThemAgree) {
  std::mt19937 random(1);
  const Layout layout = started_layout();
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random_text(random);
    const auto bytes = as_bytes(text);
    const std::vector<std::string> records = started_records(text);
    EXPECT_EQ(count_records(layout, bytes), records.size());
    std::vector<std::size_t> begins = {0};
    for (const std::string& record : records) begins.push_back(begins.back() + record.size());
    for (std::size_t i = 0; i <= records.size() + 1; ++i) {
      EXPECT_EQ(first_records(layout, bytes, i), begins[std::min(i, records.size())]);
    }
    for (std::size_t at = 0; at <= text.size(); ++at) {
      EXPECT_EQ(boundary_at_or_after(layout, bytes, at), *std::lower_bound(begins.begin(), begins.end(), at));
    }
    std::size_t begin = 0;
    for (const auto range : split_records(layout, bytes, 1 + random() % 5)) {
      EXPECT_EQ(range.data(), bytes.data() + begin);
      begin += range.size();
      EXPECT_EQ(std::count(begins.begin(), begins.end(), begin), 1);
    }
    EXPECT_EQ(begin, text.size());
    if (records.size() > 1) {
      EXPECT_EQ(whole_records(layout, bytes), begins[records.size() - 1]);
    }
  }
}

}  // namespace
}  // namespace sortie
