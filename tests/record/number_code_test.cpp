// encode_number() against the order of the C++ types; for floats, against std::strong_order, which is IEEE 754
// totalOrder.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <compare>
#include <limits>
#include <random>
#include <vector>

#include "record/key_plan.hpp"

namespace sortie {
namespace {

template <class Number>
constexpr FieldKind kind_of() {
  if (std::is_floating_point_v<Number>) return FieldKind::kFloat;
  return std::is_signed_v<Number> ? FieldKind::kSigned : FieldKind::kUnsigned;
}

template <std::size_t kBytes>
using Bits = std::conditional_t<
    kBytes == 1, std::uint8_t,
    std::conditional_t<kBytes == 2, std::uint16_t, std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>>>;

template <class Number>
std::uint64_t encode(Number number) {
  return encode_number(kind_of<Number>(), std::bit_cast<Bits<sizeof(Number)>>(number), sizeof number);
}

template <class Number>
Number decode(std::uint64_t code) {
  return std::bit_cast<Number>(
      static_cast<Bits<sizeof(Number)>>(decode_number(kind_of<Number>(), code, sizeof(Number))));
}

/// The codes rise with the values, use all their bytes, and can be decoded.
template <class Number>
void expect_codes_of_all_values() {
  std::uint64_t code = 0;
  for (long long value = std::numeric_limits<Number>::min(); value <= std::numeric_limits<Number>::max(); ++value) {
    const auto number = static_cast<Number>(value);
    ASSERT_EQ(encode(number), code) << value;
    ASSERT_EQ(decode<Number>(code), number) << value;
    ++code;
  }
  EXPECT_EQ(code, std::uint64_t{1} << (8 * sizeof(Number)));
}

TEST(NumberCode, UnsignedBytesExhaustively) { expect_codes_of_all_values<std::uint8_t>(); }
TEST(NumberCode, SignedBytesExhaustively) { expect_codes_of_all_values<std::int8_t>(); }
TEST(NumberCode, UnsignedShortsExhaustively) { expect_codes_of_all_values<std::uint16_t>(); }
TEST(NumberCode, SignedShortsExhaustively) { expect_codes_of_all_values<std::int16_t>(); }

template <class Number>
void expect_same_order(Number a, Number b) {
  const std::strong_ordering order = std::strong_order(a, b);
  const std::strong_ordering code_order = encode(a) <=> encode(b);
  ASSERT_TRUE(order == code_order) << "bits " << std::hex << +std::bit_cast<Bits<sizeof(Number)>>(a) << " and "
                                   << +std::bit_cast<Bits<sizeof(Number)>>(b);
}

template <class Number>
void expect_round_trip(Number number) {
  using Word = Bits<sizeof(Number)>;
  ASSERT_EQ(std::bit_cast<Word>(decode<Number>(encode(number))), std::bit_cast<Word>(number));
  ASSERT_LE(encode(number), std::numeric_limits<Word>::max());
}

template <class Number>
std::vector<Number> special_numbers() {
  using Limits = std::numeric_limits<Number>;
  std::vector<Number> numbers = {Number(0),
                                 Number(1),
                                 Number(2),
                                 Limits::min(),
                                 Limits::max(),
                                 Limits::lowest(),
                                 static_cast<Number>(Limits::max() / 2)};
  if constexpr (std::is_signed_v<Number>) numbers.push_back(Number(-1));
  if constexpr (std::is_floating_point_v<Number>) {
    using Word = Bits<sizeof(Number)>;
    const auto infinity_bits = std::bit_cast<Word>(Limits::infinity());
    const Word quiet_bit = std::bit_cast<Word>(Limits::quiet_NaN()) ^ infinity_bits;
    std::vector<Number> magnitudes = {Limits::denorm_min(), Limits::min(), Limits::epsilon(), Limits::max(),
                                      Limits::infinity(),   Number(0),     Number(0.1),       Number(3)};
    magnitudes.push_back(std::nextafter(Limits::min(), Number(0)));
    // NaNs: signalling ones with the smallest and the largest payload, and quiet ones with the same.
    for (const Word payload : {Word(1), Word(quiet_bit - 1), quiet_bit, Word(quiet_bit | 1), Word(2 * quiet_bit - 1)}) {
      magnitudes.push_back(std::bit_cast<Number>(static_cast<Word>(infinity_bits | payload)));
    }
    const Word sign_bit = Word(1) << (8 * sizeof(Word) - 1);
    for (const Number magnitude : magnitudes) {
      numbers.push_back(magnitude);
      numbers.push_back(std::bit_cast<Number>(static_cast<Word>(std::bit_cast<Word>(magnitude) | sign_bit)));
    }
  }
  return numbers;
}

template <class Number>
class WideNumberCode : public testing::Test {};

using WideNumbers = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(WideNumberCode, WideNumbers);

TYPED_TEST(WideNumberCode, OrdersEveryPairOfSpecialValues) {
  const std::vector<TypeParam> numbers = special_numbers<TypeParam>();
  for (const TypeParam a : numbers) {
    expect_round_trip(a);
    for (const TypeParam b : numbers) expect_same_order(a, b);
  }
}

TYPED_TEST(WideNumberCode, OrdersRandomBitPatterns) {
  using Word = Bits<sizeof(TypeParam)>;
  std::mt19937_64 random(17);
  for (int i = 0; i < 300'000; ++i) {
    const auto a = std::bit_cast<TypeParam>(static_cast<Word>(random()));
    const auto b = std::bit_cast<TypeParam>(static_cast<Word>(random()));
    expect_round_trip(a);
    expect_same_order(a, b);
    // Neighbours in bits; random pairs never are.
    expect_same_order(a, std::bit_cast<TypeParam>(static_cast<Word>(std::bit_cast<Word>(a) + 1)));
  }
}

TEST(NumberCode, FloatsSampledOverTheWholeRangeRiseStrictly) {
  // Every 251st bit pattern of each sign. Negative floats fall in bits as they rise in order.
  std::uint64_t before = 0;
  for (std::uint64_t bits = 0xffffffff; bits >= 0x80000000; bits -= 251) {
    const std::uint64_t code = encode_number(FieldKind::kFloat, bits, 4);
    ASSERT_TRUE(bits == 0xffffffff ? code == 0 : code > before) << std::hex << bits;
    ASSERT_EQ(decode_number(FieldKind::kFloat, code, 4), bits);
    before = code;
  }
  for (std::uint64_t bits = 0; bits < 0x80000000; bits += 251) {
    const std::uint64_t code = encode_number(FieldKind::kFloat, bits, 4);
    ASSERT_GT(code, before) << std::hex << bits;
    ASSERT_EQ(decode_number(FieldKind::kFloat, code, 4), bits);
    before = code;
  }
}

TEST(NumberCode, PutsFloatsInTotalOrder) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const float tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> ascending = {-nan, -infinity, -1.0f, -tiny, -0.0f, 0.0f, tiny, 1.0f, infinity, nan};
  for (std::size_t i = 1; i < ascending.size(); ++i) EXPECT_LT(encode(ascending[i - 1]), encode(ascending[i])) << i;
}

}  // namespace
}  // namespace sortie
