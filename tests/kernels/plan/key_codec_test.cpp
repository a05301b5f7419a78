#include "kernels/common/key_codec.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "record/key_plan.hpp"

namespace sortie::kernels {
namespace {

constexpr FieldKind kNumberKinds[] = {FieldKind::kUnsigned, FieldKind::kSigned, FieldKind::kFloat};

template <class Bits>
class KeyCodecOf : public testing::Test {
 public:
  static constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);

  /// Every number with one bit set, its complement and its neighbours, and random numbers.
  static std::vector<Bits> numbers() {
    std::mt19937_64 random(7);
    std::vector<Bits> numbers;
    for (unsigned bit = 0; bit < 8 * sizeof(Bits); ++bit) {
      for (const Bits one : {Bits{1} << bit, (Bits{1} << bit) - 1}) numbers.insert(numbers.end(), {one, ~one});
    }
    for (unsigned i = 0; i < 1000; ++i) numbers.push_back(static_cast<Bits>(random()));
    return numbers;
  }
};

using CodeTypes = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(KeyCodecOf, CodeTypes);

TYPED_TEST(KeyCodecOf, CodesAreThoseOfTheKeyPlanAndDecodeToTheNumbers) {
  for (const FieldKind kind : kNumberKinds) {
    const auto ascending = make_key_codec<TypeParam>(kind, false);
    const auto descending = make_key_codec<TypeParam>(kind, true);
    for (const TypeParam number : TestFixture::numbers()) {
      const auto code = static_cast<TypeParam>(encode_number(kind, number, sizeof(TypeParam)));
      ASSERT_EQ(ascending.encode(number), code) << number;
      ASSERT_EQ(descending.encode(number), static_cast<TypeParam>(~code)) << number;
      ASSERT_EQ(ascending.decode(code), number);
      ASSERT_EQ(descending.decode(static_cast<TypeParam>(~code)), number);
    }
  }
}

TYPED_TEST(KeyCodecOf, TheSignIsNeverFlippedByTheSign) {
  for (const FieldKind kind : kNumberKinds) {
    for (const bool descending : {false, true}) {
      EXPECT_EQ(make_key_codec<TypeParam>(kind, descending).flip_if_negative & TestFixture::kSign, 0U);
    }
  }
}

TYPED_TEST(KeyCodecOf, AscendingUnsignedNumbersAreTheirOwnCodes) {
  const auto codec = make_key_codec<TypeParam>(FieldKind::kUnsigned, false);
  for (const TypeParam number : TestFixture::numbers()) {
    EXPECT_EQ(codec.encode(number), number);
    EXPECT_EQ(PlainKeys::encode(number), number);
    EXPECT_EQ(PlainKeys::decode(number), number);
  }
}

template <class Number>
void expect_codes_ascend(const std::vector<Number>& numbers) {
  const auto ascending = make_key_codec<CodeOf<Number>>(kKindOf<Number>, false);
  const auto descending = make_key_codec<CodeOf<Number>>(kKindOf<Number>, true);
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const auto before = std::bit_cast<CodeOf<Number>>(numbers[i - 1]);
    const auto bits = std::bit_cast<CodeOf<Number>>(numbers[i]);
    EXPECT_LT(ascending.encode(before), ascending.encode(bits)) << "at " << i;
    EXPECT_GT(descending.encode(before), descending.encode(bits)) << "at " << i;
  }
}

template <class Float>
void expect_float_codes_ascend() {
  using Limits = std::numeric_limits<Float>;
  expect_codes_ascend<Float>({-Limits::quiet_NaN(), -Limits::infinity(), Limits::lowest(), Float{-1}, -Limits::min(),
                              -Limits::denorm_min(), -Float{0}, Float{0}, Limits::denorm_min(), Limits::min(), Float{1},
                              Limits::max(), Limits::infinity(), Limits::quiet_NaN()});
}

TEST(KeyCodec, NumbersOfEveryTypeHaveCodesOfTheirOrder) {
  expect_codes_ascend<std::uint32_t>({0, 1, 0x7fffffff, 0x80000000, 0xffffffff});
  expect_codes_ascend<std::int32_t>({std::numeric_limits<std::int32_t>::min(), -2, -1, 0, 1, 0x7fffffff});
  expect_codes_ascend<std::uint64_t>({0, 1, ~std::uint64_t{0} >> 1, ~std::uint64_t{0}});
  expect_codes_ascend<std::int64_t>(
      {std::numeric_limits<std::int64_t>::min(), -2, -1, 0, 1, std::numeric_limits<std::int64_t>::max()});
  expect_float_codes_ascend<float>();
  expect_float_codes_ascend<double>();
}

TEST(KeyCodec, CodedKeysReadAsTheirCodes) {
  const std::uint32_t numbers[] = {0, 5};
  const CodedKeys<std::uint32_t, KeyCodec<std::uint32_t>> keys{numbers,
                                                               make_key_codec<std::uint32_t>(FieldKind::kSigned, true)};
  EXPECT_EQ(keys[0], 0x7fffffffU);
  EXPECT_EQ(keys[1], 0x7ffffffaU);
}

}  // namespace
}  // namespace sortie::kernels
