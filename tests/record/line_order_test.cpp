#include <gtest/gtest.h>

#include <random>
#include <string>

#include "record/record_order.hpp"

namespace sortie {
namespace {

std::span<const std::byte> text_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

int sign(int comparison) { return (comparison > 0) - (comparison < 0); }

Format lines(bool descending, char delimiter = '\n') {
  Format format;
  format.delimiter = delimiter;
  format.descending = descending;
  return format;
}

/// The lines have no delimiter; this adds it.
int compare(const RecordOrder& order, std::string a, std::string b, std::uint64_t first_word = 0) {
  a += order.layout().delimiter;
  b += order.layout().delimiter;
  return sign(order.compare(text_bytes(a), text_bytes(b), first_word));
}

/// Lines in ascending order: bytes count as unsigned, and a line comes before those that it begins.
std::vector<std::string> ascending_lines() {
  using namespace std::string_literals;
  return {"",
          "\0"s,
          "\0\0"s,
          std::string(8, '\0'),
          std::string(9, '\0'),
          "\0a"s,
          "\x01"s,
          "\r"s,
          "A",
          "a",
          "a\0"s,
          "a\0\0\0\0\0\0\0"s,
          "a\0\0\0\0\0\0\0\0"s,
          "a\x01",
          "aaaaaaa",
          "aaaaaaaa",
          "aaaaaaaa\0"s,
          "aaaaaaaa\0b"s,
          "aaaaaaaaa",
          "aaaaaaaaaaaaaaaa",
          "aaaaaaaaaaaaaaaab",
          "aaaaaaab",
          "ab",
          "b",
          "\x7f",
          "\x80",
          "\x80\x80",
          "\xc3\xa4",
          "\xff",
          "\xff\0"s,
          "\xff\xff\xff\xff\xff\xff\xff\xff",
          "\xff\xff\xff\xff\xff\xff\xff\xff\xff"};
}

TEST(LineOrder, IsTheOrderOfUnsignedBytes) {
  const RecordOrder ascending(lines(false));
  const RecordOrder descending(lines(true));
  const std::vector<std::string> texts = ascending_lines();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < texts.size(); ++j) {
      const int expected = (i > j) - (i < j);
      EXPECT_EQ(compare(ascending, texts[i], texts[j]), expected) << i << " and " << j;
      EXPECT_EQ(compare(descending, texts[i], texts[j]), -expected) << i << " and " << j;
    }
  }
}

TEST(LineOrder, AgreesWithStringsForRandomLines) {
  std::mt19937 random(43);
  const RecordOrder ascending(lines(false));
  const RecordOrder descending(lines(true));
  const auto random_line = [&] {
    std::string text(random() % 20, 'a');
    for (char& character : text) character = "\0a\xff"[random() % 8 == 0 ? random() % 3 : 1];
    return text;
  };
  for (int i = 0; i < 100'000; ++i) {
    const std::string a = random_line();
    const std::string b = random_line();
    // std::string compares as unsigned bytes, then by length.
    const int expected = sign(a.compare(b));
    ASSERT_EQ(compare(ascending, a, b), expected);
    ASSERT_EQ(compare(descending, a, b), -expected);
  }
}

TEST(LineOrder, ComparesFromAWordOnThatFollowsEqualOnes) {
  std::mt19937 random(44);
  const RecordOrder ascending(lines(false));
  const RecordOrder descending(lines(true));
  for (int i = 0; i < 20'000; ++i) {
    const std::string common(random() % 33, 'a');
    const std::string a = common + std::string(random() % 10, "\0ab\xff"[random() % 4]);
    const std::string b = common + std::string(random() % 10, "\0ab\xff"[random() % 4]);
    const int expected = sign(a.compare(b));
    for (std::uint64_t word = 0; word <= common.size() / 8; ++word) {
      ASSERT_EQ(compare(ascending, a, b, word), expected);
      ASSERT_EQ(compare(descending, a, b, word), -expected);
    }
  }
}

TEST(LineOrder, MayHoldLineFeedsWhereLinesEndInNul) {
  const RecordOrder order(lines(false, '\0'));
  EXPECT_EQ(compare(order, "a\nb", "a\nc"), -1);
  EXPECT_EQ(compare(order, "a\n", "a"), 1);
}

TEST(LineOrder, PrefixDecidesWhereItDiffers) {
  for (const bool reversed : {false, true}) {
    const RecordOrder order(lines(reversed));
    for (std::string a : ascending_lines()) {
      for (std::string b : ascending_lines()) {
        const int expected = compare(order, a, b);
        const std::uint64_t a_prefix = order.prefix(text_bytes(a + "\n"));
        const std::uint64_t b_prefix = order.prefix(text_bytes(b + "\n"));
        if (a_prefix == b_prefix) {
          // If the prefixes are equal, the words after them and the length decide.
          EXPECT_EQ(compare(order, a, b, 1), expected);
        } else {
          EXPECT_EQ(a_prefix < b_prefix, expected < 0);
        }
      }
    }
  }
}

TEST(LineOrder, WordsAreTheLinesBytesPadded) {
  const RecordOrder ascending(lines(false));
  const RecordOrder descending(lines(true));
  const std::string line = "abcdefghij";
  const auto word = [&](const RecordOrder& order, std::uint64_t index) {
    return key_word(order.plan(), text_bytes(line).data(), line.size(), index);
  };
  EXPECT_EQ(word(ascending, 0), 0x6162636465666768u);
  EXPECT_EQ(word(ascending, 1), 0x696a000000000000u);
  EXPECT_EQ(word(ascending, 2), 0u);
  for (std::uint64_t index = 0; index < 3; ++index) EXPECT_EQ(word(descending, index), ~word(ascending, index));
}

TEST(LineOrder, NormalisedKeyLeavesOutTheDelimiterAndIsComplementedWhenDescending) {
  const auto key = [](const RecordOrder& order, const std::string& record, std::size_t limit = SIZE_MAX) {
    const std::vector<std::byte> bytes = order.normalised_key(text_bytes(record), limit);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  EXPECT_EQ(key(RecordOrder(lines(false)), "abcdefghij\n"), "abcdefghij");
  EXPECT_EQ(key(RecordOrder(lines(false)), "abcdefghij\n", 9), "abcdefghi");
  EXPECT_EQ(key(RecordOrder(lines(true)), "ab\n"), "\x9e\x9d");
  EXPECT_EQ(key(RecordOrder(lines(false)), "\n"), "");
}

TEST(LineOrder, CountsTheWordsOfAKey) {
  const RecordOrder order(lines(false));
  EXPECT_EQ(key_words(order.plan(), 0), 0u);
  EXPECT_EQ(key_words(order.plan(), 1), 1u);
  EXPECT_EQ(key_words(order.plan(), 8), 1u);
  EXPECT_EQ(key_words(order.plan(), 9), 2u);
}

}  // namespace
}  // namespace sortie
