// Keys of columns: cells of values, nulls, NaN and of what is beyond the bounds; boxes of geometries.
#include <gtest/gtest.h>

#include <sortie/curve_keys.hpp>
#include <sortie/error.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "table/curve/curve_column.hpp"

namespace sortie::table {
namespace {

constexpr std::uint32_t kTop = 0xFFFF;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// An array of 8 bytes for each value, that lives as long as this.
template <class Number>
struct Numbers {
  std::vector<Number> values;
  std::vector<std::uint8_t> valid;  // bits
  const void* buffers[2] = {};
  ArrowArray array{};

  explicit Numbers(std::vector<Number> given, std::vector<bool> nulls = {}) : values(std::move(given)) {
    valid.assign(values.size() / 8 + 1, 0xFF);
    for (std::size_t i = 0; i < nulls.size(); ++i) {
      if (nulls[i]) valid[i / 8] &= static_cast<std::uint8_t>(~(1U << (i % 8)));
    }
    buffers[0] = nulls.empty() ? nullptr : valid.data();
    buffers[1] = values.data();
    array.length = static_cast<std::int64_t>(values.size());
    array.null_count = nulls.empty() ? 0 : -1;
    array.n_buffers = 2;
    array.buffers = buffers;
  }
};

struct Texts {
  std::vector<std::int64_t> offsets{0};
  std::string bytes;
  const void* buffers[3] = {};
  ArrowArray array{};

  explicit Texts(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      bytes += text;
      offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    buffers[1] = offsets.data();
    buffers[2] = bytes.data();
    array.length = static_cast<std::int64_t>(texts.size());
    array.n_buffers = 3;
    array.buffers = buffers;
  }
};

ArrowSchema schema_of(const char* format) {
  ArrowSchema schema{};
  schema.format = format;
  return schema;
}

std::vector<std::uint32_t> cells_of(const CurveColumn& column, const ArrowArray& values) {
  std::vector<std::uint32_t> cells(static_cast<std::size_t>(values.length));
  column.write_cells(values, 0, cells.size(), 16, cells.data());
  return cells;
}

TEST(CurveColumns, NullsNanAndInfinityHaveTheirPlaces) {
  const Numbers<double> bounds({0, 10});
  const Numbers<double> values({0, 5, 10, -INFINITY, INFINITY, kNaN, -kNaN, 3},
                               {false, false, false, false, false, false, false, true});
  const CurveColumn rising(schema_of("g"), bounds.array, {});
  EXPECT_EQ(cells_of(rising, values.array),
            (std::vector<std::uint32_t>{1, 1 + (kTop - 3) / 2, kTop - 2, 1, kTop - 2, kTop - 1, kTop - 1, kTop}));
  const CurveColumn falling(schema_of("g"), bounds.array, {.by_rank = false, .descending = true, .nulls_first = true});
  EXPECT_EQ(cells_of(falling, values.array),
            (std::vector<std::uint32_t>{kTop - 1, kTop - 1 - (kTop - 3) / 2, 2, kTop - 1, 2, 1, 1, 0}));
}

TEST(CurveColumns, RangesOfAllNumbersHaveNoOverflow) {
  const Numbers<std::int64_t> bounds({INT64_MIN, INT64_MAX});
  const Numbers<std::int64_t> values({INT64_MIN, -1, 0, INT64_MAX});
  const auto cells = cells_of(CurveColumn(schema_of("l"), bounds.array, {}), values.array);
  EXPECT_EQ(cells, (std::vector<std::uint32_t>{1, 1 + (kTop - 3) / 2, 1 + (kTop - 3) / 2, kTop - 2}));
  const double most = std::numeric_limits<double>::max();
  const Numbers<double> float_bounds({-most, most});
  const Numbers<double> floats({-most, 0, most});
  EXPECT_EQ(cells_of(CurveColumn(schema_of("g"), float_bounds.array, {}), floats.array),
            (std::vector<std::uint32_t>{1, 1 + (kTop - 3) / 2, kTop - 2}));
}

TEST(CurveColumns, RanksCountTheQuantilesBelow) {
  const Numbers<std::uint64_t> bounds({1, 1, 5, UINT64_MAX});
  const Numbers<std::uint64_t> values({0, 1, 2, 5, 6, UINT64_MAX});
  const auto cells = cells_of(CurveColumn(schema_of("L"), bounds.array, {.by_rank = true}), values.array);
  const auto cell = [](std::uint32_t below) { return 1 + (kTop - 3) * below / 4; };
  EXPECT_EQ(cells, (std::vector<std::uint32_t>{cell(0), cell(0), cell(2), cell(2), cell(3), cell(3)}));
}

TEST(CurveColumns, TextsCountBehindWhatAllBeginWith) {
  const Texts bounds({"http://a", "http://c"});
  const Texts values({"", "http://a", "http://b", "http://bzzzzzzzzzzz", "http://c", "x"});
  const auto cells = cells_of(CurveColumn(schema_of("Z"), bounds.array, {}), values.array);
  EXPECT_EQ(cells[0], 1);
  EXPECT_EQ(cells[1], 1);
  EXPECT_EQ(cells[2], 1 + (kTop - 3) / 2);
  EXPECT_LT(cells[2], cells[3]);
  EXPECT_LT(cells[3], cells[4]);
  EXPECT_EQ(cells[4], kTop - 2);
  EXPECT_EQ(cells[5], kTop - 2);
}

TEST(CurveColumns, WithoutBoundsAllValuesAreInOneCell) {
  const Numbers<double> bounds(std::vector<double>{});
  const Numbers<double> values({1, 2});
  for (const bool by_rank : {false, true}) {
    EXPECT_EQ(cells_of(CurveColumn(schema_of("g"), bounds.array, {.by_rank = by_rank}), values.array),
              (std::vector<std::uint32_t>{1, 1}));
  }
}

TEST(CurveKeys, RefusesOtherTypes) {
  const Numbers<std::int64_t> bounds({1, 2});
  CurveKeys keys(Curve::kZ, 1);
  EXPECT_THROW(keys.add_column(schema_of("i"), bounds.array, {}), Error);
  keys.add_column(schema_of("l"), bounds.array, {});
  EXPECT_THROW(keys.require_type(0, schema_of("g")), Error);
  EXPECT_NO_THROW(keys.require_type(0, schema_of("l")));
}

TEST(CurveKeys, ThreadsGiveTheSameKeys) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < 50'000; ++i) numbers.push_back(i * 7919 % 50'021);
  const Numbers<std::int64_t> bounds({0, 50'020});
  const Numbers<std::int64_t> values(numbers);
  std::vector<std::vector<std::uint64_t>> made;
  for (const unsigned threads : {1U, 4U}) {
    CurveKeys keys(Curve::kHilbert, threads);
    for (int i = 0; i < 2; ++i) keys.add_column(schema_of("l"), bounds.array, {.descending = i == 1});
    ASSERT_EQ(keys.words(), 1);
    made.emplace_back(numbers.size());
    const ArrowArray* const columns[] = {&values.array, &values.array};
    std::uint64_t* const words[] = {made.back().data()};
    keys.write(columns, words);
  }
  EXPECT_EQ(made[0], made[1]);
}

TEST(GeometryBoxes, AreReadOfEitherByteOrderAndDamageIsTold) {
  const std::string little("\x01\x01\0\0\0\0\0\0\0\0\0\xF0?\0\0\0\0\0\0\0@", 21);
  const std::string big("\0\0\0\0\x01?\xF0\0\0\0\0\0\0@\0\0\0\0\0\0\0", 21);
  std::vector<std::vector<double>> bounds(4, std::vector<double>(4, -1));
  std::vector<std::uint8_t> valid(4, 9);
  const BoxColumns boxes{{bounds[0].data(), bounds[1].data(), bounds[2].data(), bounds[3].data()}, valid.data()};
  const std::string empty("\x01\x02\0\0\0\0\0\0\0", 9);
  EXPECT_FALSE(write_boxes(Texts({little, big, empty}).array, boxes).has_value());
  EXPECT_EQ(bounds[0], (std::vector<double>{1, 1, 0, -1}));
  EXPECT_EQ(bounds[3], (std::vector<double>{2, 2, 0, -1}));
  EXPECT_EQ(valid, (std::vector<std::uint8_t>{1, 1, 0, 9}));
  for (std::size_t length = 0; length < big.size(); ++length) {
    const auto damaged = write_boxes(Texts({little, big.substr(0, length)}).array, boxes);
    ASSERT_TRUE(damaged.has_value()) << length;
    EXPECT_EQ(damaged->row, 1);
  }
}

}  // namespace
}  // namespace sortie::table
