// Columns that grow: bits at any position, and one column put behind another.
#include "table/column_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>

namespace sortie::table {
namespace {

TableType type_of(Storage storage, std::uint32_t width) {
  TableType type;
  type.storage = storage;
  type.width = width;
  return type;
}

std::vector<std::uint8_t> bits_in(const ByteBuffer& buffer, std::int64_t count) {
  std::vector<std::uint8_t> bits;
  for (std::int64_t i = 0; i < count; ++i) bits.push_back(bit_at(buffer.data(), i) ? 1 : 0);
  return bits;
}

TEST(ColumnData, BitsAreAddedAtAnyPlaceFromAnyPlace) {
  std::mt19937_64 random(3);
  for (int turn = 0; turn < 2000; ++turn) {
    ByteBuffer buffer;
    std::vector<std::uint8_t> expected;
    for (int part = 0; part < 4; ++part) {
      std::vector<std::uint8_t> bits(random() % 40);
      for (std::uint8_t& bit : bits) bit = static_cast<std::uint8_t>(random() % 2);
      const auto old_count = static_cast<std::int64_t>(expected.size());
      const auto count = static_cast<std::int64_t>(bits.size());
      if (part == 0) {
        append_equal_bits(buffer, old_count, true, count);
        std::ranges::fill(bits, std::uint8_t{1});
      } else if (part % 2 == 0) {
        append_bytes_as_bits(buffer, old_count, bits);
      } else {
        const auto skipped = static_cast<std::int64_t>(random() % 17);
        ByteBuffer source;
        append_equal_bits(source, 0, true, skipped);
        append_bytes_as_bits(source, skipped, bits);
        append_equal_bits(source, skipped + count, true, 11);
        append_bits(buffer, old_count, source.data(), skipped, count);
      }
      expected.insert(expected.end(), bits.begin(), bits.end());
    }
    EXPECT_EQ(bits_in(buffer, static_cast<std::int64_t>(expected.size())), expected);
  }
}

TEST(ColumnData, ABitmapIsMadeWhenTheFirstNullComes) {
  ColumnData column = empty_column(type_of(Storage::kFixed, 1));
  append_valid(column, 11);
  column.length += 11;
  EXPECT_TRUE(column.validity.empty());
  append_nulls(column, 2);
  column.length += 2;
  append_validity(column, std::vector<std::uint8_t>{1, 0});
  EXPECT_EQ(bits_in(column.validity, 15), (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0}));
  EXPECT_EQ(column.null_count, 3);
}

TEST(ColumnData, OffsetsAreMovedWhenColumnsAreJoined) {
  const TableType type = type_of(Storage::kBinary, 4);
  const auto add = [&](ColumnData& column, const std::string& text) {
    append_texts(type, column, std::vector<std::string_view>{text});
    ++column.length;
  };
  ColumnData column = empty_column(type);
  add(column, "ab");
  ColumnData tail = empty_column(type);
  add(tail, "");
  add(tail, "cde");
  append_column(type, column, tail);
  append_column(type, column, empty_column(type));
  append_column(type, column, tail);
  const auto* const offsets = reinterpret_cast<const std::int32_t*>(column.values.data());
  EXPECT_EQ(std::vector<std::int32_t>(offsets, offsets + 6), (std::vector<std::int32_t>{0, 2, 2, 5, 5, 8}));
  EXPECT_EQ(column.length, 5);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(column.bytes.data()), column.bytes.size()), "abcdecde");
}

TEST(ColumnData, OffsetsThatNoTypeHoldsAreRefused) {
  ByteBuffer buffer;
  push_offset(type_of(Storage::kList, 4), buffer, INT32_MAX);
  EXPECT_THROW(push_offset(type_of(Storage::kList, 4), buffer, std::uint64_t{INT32_MAX} + 1), Error);
  EXPECT_THROW(push_offset(type_of(Storage::kRunEnd, 2), buffer, 32'768), Error);
  push_offset(type_of(Storage::kList, 8), buffer, std::uint64_t{1} << 40);
  EXPECT_EQ(buffer.size(), 12u);
}

}  // namespace
}  // namespace sortie::table
