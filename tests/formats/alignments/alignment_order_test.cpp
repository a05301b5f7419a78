// Keys order as `samtools sort` orders the records that they are made of.
#include "formats/alignments/alignment_order.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "support/alignment_data.hpp"

namespace sortie::formats::alignments {
namespace {

using test::ReadData;
using Key = std::vector<std::byte>;

Key key_of(std::string_view order, const ReadData& read, std::string_view header = "") {
  const std::vector<std::byte> bytes = test::record_of(read);
  Key key;
  KeyMaker(parse_order(order), test::header_of(header, {{"a", 1000}, {"b", 500}})).append(AlignmentRecord(bytes), key);
  return key;
}

/// The order of names as its description has it: runs of digits by value, of equal ones more zeros first.
int compare_names(std::string_view a, std::string_view b) {
  const auto is_digit = [](char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]) ? -1 : 1;
      ++i;
      ++j;
      continue;
    }
    const auto take = [&](std::string_view text, std::size_t& at) {
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      const std::string_view run = text.substr(begin, at - begin);
      return std::pair{run.substr(std::min(run.find_first_not_of('0'), run.size())), run.size()};
    };
    const auto [left, left_size] = take(a, i);
    const auto [right, right_size] = take(b, j);
    if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
    if (const int order = left.compare(right); order != 0) return order < 0 ? -1 : 1;
    if (left_size != right_size) return left_size > right_size ? -1 : 1;
  }
  return i < a.size() ? 1 : j < b.size() ? -1 : 0;
}

int sign(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

TEST(NaturalName, OrdersNumbersByValue) {
  std::mt19937 random(1);
  const std::string_view letters = "019aA:/~";
  const auto name = [&] {
    std::string made(random() % 9, '\0');
    for (char& letter : made) letter = letters[random() % letters.size()];
    return made;
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::string a = name();
    const std::string b = name();
    Key key_a;
    Key key_b;
    append_natural_name(a, key_a);
    append_natural_name(b, key_b);
    ASSERT_EQ(sign(key_a <=> key_b), compare_names(a, b)) << a << " and " << b;
  }
}

TEST(NaturalName, KnowsNumbersOfAnyLength) {
  Key shorter;
  Key longer;
  append_natural_name(std::string(253, '9'), shorter);
  append_natural_name("1" + std::string(253, '0'), longer);
  EXPECT_LT(shorter, longer);
}

TEST(AlignmentOrder, PutsRecordsWithoutReferenceLast) {
  const Key forward = key_of("coordinate", {.reference = 0, .position = 5});
  const Key reverse = key_of("coordinate", {.reference = 0, .position = 5, .flag = kReverse});
  const Key behind = key_of("coordinate", {.reference = 0, .position = 6});
  const Key other = key_of("coordinate", {.reference = 1, .position = -1});
  const Key none = key_of("coordinate", {.reference = -1, .position = -1});
  EXPECT_LT(forward, reverse);
  EXPECT_LT(reverse, behind);
  EXPECT_LT(behind, other);
  EXPECT_LT(other, none);
  EXPECT_LT(key_of("coordinate", {.reference = 0, .position = INT32_MAX}), other);
}

TEST(AlignmentOrder, OrdersReadsOfAPair) {
  EXPECT_LT(key_of("name", {.flag = 0x41}), key_of("name", {.flag = 0x81}));
  EXPECT_LT(key_of("ascii-name", {.name = "a10"}), key_of("ascii-name", {.name = "a2"}));
  EXPECT_GT(key_of("name", {.name = "a10"}), key_of("name", {.name = "a2"}));
  EXPECT_LT(key_of("ascii-name", {.name = "a", .flag = 0x80}), key_of("ascii-name", {.name = "aa", .flag = 0x40}));
}

std::string number_tag(char type, std::initializer_list<int> bytes) {
  std::string tag = std::string("XX") + type;
  for (const int byte : bytes) tag.push_back(static_cast<char>(byte));
  return tag;
}

TEST(AlignmentOrder, ComparesTagsOfAllTypes) {
  const std::vector<std::string> in_order = {
      "",  // none
      "XXAa",
      "XXAb",                          // characters
      std::string("XXBc\0\0\0\0", 8),  // an array
      std::string("XXZ\0", 4),
      std::string("XXZa\0", 5),
      std::string("XXZab\0", 6),
      std::string("XXHb\0", 5),
      number_tag('i', {0, 0, 0, 0x80}),  // the least number
      number_tag('c', {0xff}),           // -1
      number_tag('f', {0, 0, 0, 0xbf}),  // -0.5
      number_tag('C', {0}),
      number_tag('f', {0, 0, 0, 0x3f}),
      number_tag('s', {1, 0}),
      number_tag('I', {0, 0, 0, 0x80}),
  };
  for (std::size_t i = 0; i + 1 < in_order.size(); ++i) {
    EXPECT_LT(key_of("tag:XX", {.tags = in_order[i]}), key_of("tag:XX", {.tags = in_order[i + 1]})) << i;
  }
  EXPECT_EQ(key_of("tag:XX", {.tags = number_tag('c', {5})}), key_of("tag:XX", {.tags = number_tag('S', {5, 0})}));
  EXPECT_LT(key_of("tag:XX", {.position = 1}), key_of("tag:XX", {.position = 2}));
  EXPECT_LT(key_of("tag:XX,name", {.name = "a2"}), key_of("tag:XX,name", {.name = "a10"}));
}

TEST(AlignmentOrder, TakesUnclippedEndsOfTemplates) {
  const std::uint32_t clip = 3 << 4 | 4;
  const std::uint32_t match = 4 << 4;
  // Both begin at the same base, one with clipped ones in front.
  const ReadData whole{.position = 7, .cigar = {match}};
  const ReadData clipped{.position = 10, .cigar = {clip, match}};
  EXPECT_EQ(key_of("template", whole), key_of("template", clipped));
  const std::string header = "@RG\tID:x\tLB:one\n@RG\tID:y\tLB:two\n";
  ReadData of_one{.position = 7, .cigar = {match}, .tags = std::string("RGZx\0", 5)};
  ReadData of_two = of_one;
  of_two.tags = std::string("RGZy\0", 5);
  EXPECT_LT(key_of("template", of_one, header), key_of("template", of_two, header));
  EXPECT_THROW(key_of("template", {.flag = kPaired}), Error);
}

// A CIGAR of more operations than a record can count stands in the tag CG, behind a clip of all bases.
TEST(AlignmentOrder, TakesUnclippedEndsOfLongCigars) {
  constexpr std::uint32_t kMatch = 0;
  constexpr std::uint32_t kDeletion = 2;
  constexpr std::uint32_t kSkip = 3;
  constexpr std::uint32_t kSoftClip = 4;
  const std::vector<std::uint32_t> operations = {1 << 4 | kSoftClip, 3 << 4 | kMatch, 3 << 4 | kDeletion};
  std::string tag("CGBI\3\0\0\0", 8);
  for (const std::uint32_t operation : operations) tag.append({static_cast<char>(operation), 0, 0, 0});
  for (const std::uint16_t flag : {std::uint16_t{0}, kReverse}) {
    EXPECT_EQ(
        key_of("template", {.position = 50, .flag = flag, .cigar = operations}),
        key_of("template",
               {.position = 50, .flag = flag, .cigar = {4 << 4 | kSoftClip, 6 << 4 | kSkip}, .tags = tag, .bases = 4}));
  }
}

TEST(AlignmentOrder, RefusesOtherWords) {
  for (const char* const word : {"", "position", "tag", "tag:", "tag:X", "tag:ABC", "tag:XX,coordinate", "names"}) {
    EXPECT_THROW(parse_order(word), Error) << word;
  }
}

TEST(AlignmentRecord, FindsTagsThatAreDamaged) {
  for (const std::string& tags : {std::string("XX"), std::string("XXi\1"), std::string("XXZab"), std::string("XX?a"),
                                  std::string("XXBc\xff\xff\xff\x7f", 8)}) {
    const std::vector<std::byte> bytes = test::record_of({.tags = tags});
    EXPECT_THROW(find_tag(AlignmentRecord(bytes), "YY"), Error) << tags;
  }
}

}  // namespace
}  // namespace sortie::formats::alignments
