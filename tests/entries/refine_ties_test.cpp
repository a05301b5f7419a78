// Refinement of equal words in hard cases: very many equal keys, very long ones, very many levels.
#include "entries/refine_ties.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "entries/entries_of.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

std::string gathered(const ChunkRecords& records, const std::vector<Entry>& entries) {
  std::string bytes;
  for (const Entry& entry : entries) bytes += as_text(records[entry]);
  return bytes;
}

void expect_refined(const Format& format, const std::string& bytes, std::uint64_t word_index = 0) {
  const RecordOrder order(format);
  const ChunkRecords records(order, as_bytes(bytes));
  std::vector<Entry> entries = entries_of(records, word_index);
  sort_and_refine(records, entries, word_index);
  EXPECT_TRUE(gathered(records, entries) == stable_sorted(format, bytes));
}

void expect_lines_sorted(const Format& format, const std::string& bytes) {
  const RecordOrder order(format);
  const ChunkRecords records(order, as_bytes(bytes));
  std::vector<Entry> entries = entries_of(records, 0);
  sort_lines(records, entries);
  EXPECT_TRUE(gathered(records, entries) == stable_sorted(format, bytes));
}

bool in_input_order(const std::vector<Entry>& entries) {
  return std::ranges::is_sorted(entries, {}, [](const Entry& entry) { return entry.location; });
}

TEST(RefineTies, KeepsTheOrderOfVeryManyEqualLongLines) {
  const std::string line = std::string(200, 'e') + "\n";
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += line;
  const RecordOrder order(parsed("lines"));
  const ChunkRecords records(order, as_bytes(bytes));
  std::vector<Entry> entries = entries_of(records, 0);
  refine_group(records, entries, 0);
  EXPECT_TRUE(in_input_order(entries));
  sort_and_refine(records, entries, 0);
  EXPECT_TRUE(in_input_order(entries));
}

TEST(RefineTies, OrdersLinesThatDifferByOneByteOfLength) {
  std::vector<std::size_t> lengths(1500);
  std::iota(lengths.begin(), lengths.end(), 0);
  std::shuffle(lengths.begin(), lengths.end(), std::mt19937_64(5));
  std::string bytes;
  for (const std::size_t length : lengths) bytes += std::string(length, 'a') + "\n";
  expect_refined(parsed("lines"), bytes);
  expect_refined(parsed("lines", {}, true), bytes);
}

// Up to twelve lines are compared; more are not.
TEST(RefineTies, OrdersSmallGroups) {
  std::mt19937_64 random(7);
  for (std::size_t count = 2; count <= 14; ++count) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) {
      const auto differs_at = static_cast<std::size_t>(random() % 30);
      std::string line = "the same" + std::string(differs_at, '\0');
      for (std::size_t at = random() % 10; at > 0; --at) line += static_cast<char>('a' + random() % 2);
      bytes += line + "\n";
    }
    expect_refined(parsed("lines"), bytes);
    expect_refined(parsed("lines", {}, true), bytes);
  }
}

TEST(RefineTies, GoesThroughMoreLevelsThanItsRecursionAllows) {
  // Every level splits off one line, one word further on: 1100 levels.
  expect_refined(parsed("lines"), lines_of_one_letter(3000, 8800));
}

TEST(RefineTies, OrdersLinesByTrailingZeroBytes) {
  std::string bytes;
  for (std::size_t i = 0; i < 200; ++i) bytes += "zeros" + std::string(i * 37 % 40, '\0') + "\n";
  expect_refined(parsed("lines"), bytes);
  expect_refined(parsed("lines", {}, true), bytes);
}

TEST(SortLines, ReadsWordsWhereLinesBeginToDiffer) {
  std::mt19937_64 random(3);
  for (const bool descending : {false, true}) {
    const Format format = parsed("lines", {}, descending);
    for (std::size_t common = 0; common < 20; ++common) {
      std::string bytes;
      for (int i = 0; i < 500; ++i) {
        std::string line(common, 'c');
        for (std::uint64_t left = random() % 24; left > 0; --left) line += static_cast<char>(random() % 3);
        bytes += line + "\n";
      }
      expect_lines_sorted(format, bytes);
      expect_lines_sorted(format, bytes + std::string(common / 2, 'c') + "\n");
    }
    expect_lines_sorted(format, "\n");
    expect_lines_sorted(format, "\n\n");
    expect_lines_sorted(format, "same\nsame\nsame\n");
  }
}

TEST(SortLines, MovesLinesByAFewPlacesAndByMany) {
  std::mt19937_64 random(4);
  for (const bool descending : {false, true}) {
    for (const std::size_t positions : {2, 16, 64, 3000}) {
      std::vector<std::string> lines;
      for (int i = 0; i < 3000; ++i) lines.push_back("at " + std::to_string(10'000 + i / 3) + "\n");
      if (descending) std::ranges::reverse(lines);
      for (auto begin = lines.begin(); begin < lines.end();) {
        const auto end = begin + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(positions), lines.end() - begin);
        std::shuffle(begin, end, random);
        begin = end;
      }
      std::string bytes;
      for (const std::string& line : lines) bytes += line;
      expect_lines_sorted(parsed("lines", {}, descending), bytes);
    }
  }
}

TEST(RefineTies, RefinesLargeGroupsInParallel) {
  // Several groups of equal prefixes, each larger than one task.
  std::mt19937_64 random(2);
  std::string bytes;
  for (int i = 0; i < 150'000; ++i) {
    bytes += std::string(8, static_cast<char>('a' + random() % 3)) + std::to_string(random() % 5000) + "\n";
  }
  expect_refined(parsed("lines"), bytes);
}

TEST(RefineTies, StopsAtTheEndOfAFixedKey) {
  // The bytes after the key must not matter.
  const Format format = parsed("fixed:24", {"bytes@0:12"});
  std::string bytes;
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    const std::string number = std::to_string(random() % 100'000'000'000 + 100'000'000'000);
    bytes += std::string(11, 'k') + static_cast<char>('0' + random() % 3) + number;
  }
  expect_refined(format, bytes);
}

TEST(RefineTies, BeginsAtAnyWord) {
  const Format format = parsed("fixed:32", {"bytes@0:30"});
  std::string bytes;
  std::mt19937_64 random(4);
  for (int i = 0; i < 3000; ++i) {
    std::string record(32, 'w');
    record[17] = static_cast<char>(random() % 3);
    record[29] = static_cast<char>(random() % 5);
    record[31] = static_cast<char>(random());
    bytes += record;
  }
  for (const std::uint64_t word_index : {0, 1, 2}) expect_refined(format, bytes, word_index);
}

}  // namespace
}  // namespace sortie
