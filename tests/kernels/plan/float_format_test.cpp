#include "kernels/floats/float_format.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/columns/column_group.hpp"

namespace sortie::kernels {
namespace {

constexpr FloatFormat kHalfFormat{2, 10};
constexpr FloatFormat kFloatFormat{4, 23};
constexpr FloatFormat kDoubleFormat{8, 52};

TEST(FloatValues, KnowNansAndZerosOfEveryHalf) {
  const auto values = values_of<std::uint16_t>(kHalfFormat);
  EXPECT_EQ(values.infinity, 0x7c00);
  for (std::uint32_t i = 0; i <= 0xffff; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const bool is_nan = (i & 0x7c00) == 0x7c00 && (i & 0x3ff) != 0;
    const bool is_zero = (i & 0x7fff) == 0;
    ASSERT_EQ(values.is_nan(bits), is_nan) << i;
    ASSERT_EQ(values.is_negative_nan(bits), is_nan && i >= 0x8000) << i;
    ASSERT_EQ(values.is_zero(bits), is_zero) << i;
    ASSERT_EQ(values.canonical(bits), is_nan ? 0x7fff : is_zero ? 0 : i) << i;
  }
  EXPECT_EQ(values_of<std::uint16_t>({2, 7}).infinity, 0x7f80);
}

template <class Float, class Bits>
void expect_values_known(const FloatFormat& format) {
  const auto values = values_of<Bits>(format);
  using Limits = std::numeric_limits<Float>;
  EXPECT_EQ(values.infinity, std::bit_cast<Bits>(Limits::infinity()));
  for (const Float number : {Float{0}, Limits::denorm_min(), Float{1}, Limits::max(), Limits::infinity(),
                             Limits::quiet_NaN(), Limits::signaling_NaN()}) {
    for (const Float signed_number : {number, std::copysign(number, Float{-1})}) {
      const auto bits = std::bit_cast<Bits>(signed_number);
      EXPECT_EQ(values.is_nan(bits), std::isnan(signed_number));
      EXPECT_EQ(values.is_zero(bits), signed_number == 0);
      EXPECT_EQ(values.is_negative_nan(bits), std::isnan(signed_number) && std::signbit(signed_number));
    }
  }
}

TEST(FloatValues, AreThoseOfTheProcessor) {
  expect_values_known<float, std::uint32_t>(kFloatFormat);
  expect_values_known<double, std::uint64_t>(kDoubleFormat);
}

/// Codes of all halves in a column, against comparisons of their values.
TEST(FloatValues, InAColumnHaveEqualCodesWhereTheyAreEqual) {
  for (const bool descending : {false, true}) {
    const std::uint16_t in_order[] = {0xfc00, 0xbc00, 0x8001, 0x8000, 0x0001, 0x3c00, 0x7c00, 0x7c01};
    const std::uint16_t equal[] = {0xfc00, 0xbc00, 0x8001, 0x0000, 0x0001, 0x3c00, 0x7c00, 0xffff};
    const KeyColumn column = make_value_column(in_order, kHalfFormat, descending);
    const KeyColumn others = make_value_column(equal, kHalfFormat, descending);
    for (std::uint64_t i = 0; i < std::size(in_order); ++i) {
      EXPECT_EQ(column.code(i), others.code(i)) << i;
      EXPECT_LT(column.code(i), 0x10000U);
      if (i == 0) continue;
      EXPECT_EQ(column.code(i - 1) < column.code(i), !descending) << i;
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
