// Codes of keys: their bytes order as the values do, texts follow one another, and all can be read again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "table/column_data.hpp"
#include "table/hand_built_columns.hpp"
#include "table/key_column.hpp"
#include "table/table_type.hpp"
#include "table/text_code.hpp"

namespace sortie::table {
namespace {

std::string encoded(const TextCode& code, const std::string& text) {
  std::string bytes(code.measure(text), '?');
  auto* const begin = reinterpret_cast<std::byte*>(bytes.data());
  EXPECT_EQ(code.encode(text, begin), begin + bytes.size());
  return bytes;
}

std::string decoded(const TextCode& code, const std::string& bytes) {
  std::string text(bytes.size(), '?');
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
  auto* out = reinterpret_cast<std::byte*>(text.data());
  EXPECT_EQ(code.decode(begin, begin + bytes.size(), out), begin + bytes.size());
  text.resize(static_cast<std::size_t>(out - reinterpret_cast<std::byte*>(text.data())));
  return text;
}

std::string random_text(std::mt19937_64& random) {
  static constexpr unsigned char kRare[] = {0, 1, 2, 3, 4, 5, 0x1D, 0x1E, 0x1F, 0xFC, 0xFD, 0xFE, 0xFF};
  std::string text(random() % 20, '\0');
  const bool is_rare = random() % 2 == 0;
  for (char& byte : text) byte = static_cast<char>(is_rare ? kRare[random() % std::size(kRare)] : 'a' + random() % 2);
  return text;
}

TEST(TextCodes, OrderAsTheirTextsDoWhateverFollows) {
  std::mt19937_64 random(1);
  for (const bool descending : {false, true}) {
    const TextCode code(descending, false);
    for (int i = 0; i < 20'000; ++i) {
      const std::string left = random_text(random);
      const std::string right = random() % 3 == 0 ? left + random_text(random) : random_text(random);
      const std::string left_code = encoded(code, left);
      EXPECT_EQ(decoded(code, left_code), left);
      if (left == right) continue;
      const std::string one = left_code + random_text(random);
      const std::string other = encoded(code, right) + random_text(random);
      EXPECT_EQ(one < other, (left < right) != descending) << i;
    }
  }
}

TEST(TextCodes, NullsComeFirstOrLast) {
  const std::string texts[] = {"", std::string(1, '\0'), "\xFF", "\xFF\xFF", "a"};
  for (const bool descending : {false, true}) {
    for (const bool nulls_first : {false, true}) {
      const TextCode code(descending, nulls_first);
      const std::string null(1, static_cast<char>(code.null));
      for (const std::string& text : texts) EXPECT_EQ(null < encoded(code, text), nulls_first);
    }
  }
}

/// What one value becomes as a key in rows of any length; eight bytes stand in front of it.
std::string key_of(const KeyColumn& key, const ArrowArray& array, std::int64_t index) {
  const KeySource source{&array, index, nullptr, nullptr, 1};
  std::uint64_t size = 0;
  measure_key(key, source, &size);
  std::string bytes(8 + size + 1, '?');
  auto* cursor = reinterpret_cast<std::byte*>(bytes.data()) + 8;
  write_key(key, source, &cursor);
  EXPECT_EQ(cursor, reinterpret_cast<std::byte*>(bytes.data()) + 8 + size);
  EXPECT_EQ(bytes.back(), '?');
  bytes.pop_back();
  return bytes;
}

template <class Number>
std::vector<std::optional<Number>> numbers_of_all_lengths() {
  std::vector<std::optional<Number>> numbers = {Number{0}};
  for (unsigned bit = 0; bit < 8 * sizeof(Number); ++bit) {
    const auto power = static_cast<Number>(static_cast<std::uint64_t>(1) << bit);
    for (const int delta : {-1, 0, 1}) {
      numbers.emplace_back(static_cast<Number>(static_cast<std::uint64_t>(power) + static_cast<std::uint64_t>(delta)));
      numbers.emplace_back(static_cast<Number>(std::uint64_t{0} - static_cast<std::uint64_t>(*numbers.back())));
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

template <class Number>
void expect_short_integers_in_order(const std::string& format, Order order) {
  const auto numbers = numbers_of_all_lengths<Number>();
  ArrowArray array = test::array_of(test::fixed_column<Number>("", format, numbers));
  TableType type;
  type.storage = Storage::kFixed;
  type.order = order;
  type.width = sizeof(Number);
  for (const bool descending : {false, true}) {
    const KeyColumn key{0, &type, descending, false, false, true};
    std::vector<std::string> codes;
    ColumnData column = empty_column(type);
    for (std::int64_t i = 0; i < array.length; ++i) {
      codes.push_back(key_of(key, array, i));
      const auto* cursor = reinterpret_cast<const std::byte*>(codes.back().data()) + 8;
      const std::byte* const end = reinterpret_cast<const std::byte*>(codes.back().data()) + codes.back().size();
      read_key(key, 1, &cursor, &end, column);
      EXPECT_EQ(cursor, end);
      EXPECT_EQ(load_as<Number>(column.values.data() + static_cast<std::size_t>(i) * sizeof(Number)),
                *numbers[static_cast<std::size_t>(i)]);
    }
    if (descending) std::reverse(codes.begin(), codes.end());
    EXPECT_TRUE(std::is_sorted(codes.begin(), codes.end())) << format << descending;
  }
  array.release(&array);
}

TEST(KeyCodes, IntegersAreAsShortAsTheyMayBeAndInOrder) {
  expect_short_integers_in_order<std::int32_t>("i", Order::kSigned);
  expect_short_integers_in_order<std::uint32_t>("I", Order::kUnsigned);
  expect_short_integers_in_order<std::int64_t>("l", Order::kSigned);
  expect_short_integers_in_order<std::uint64_t>("L", Order::kUnsigned);
}

}  // namespace
}  // namespace sortie::table
