#include "kernels/common/lane_codec.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "record/key_plan.hpp"

namespace sortie::kernels {
namespace {

/// Every number in every lane, with other numbers beside it, against the code of the key plan.
void expect_codes_agree(FieldKind kind, unsigned bytes, bool descending) {
  const LaneCodec codec = make_lane_codec(kind, bytes, descending);
  const unsigned bits = 8 * bytes;
  const std::uint32_t mask = (1U << bits) - 1;
  for (std::uint32_t number = 0; number <= mask; ++number) {
    std::uint32_t word = 0;
    std::uint32_t expected = 0;
    for (unsigned lane = 0; lane < 32 / bits; ++lane) {
      const std::uint32_t in_lane = (number * (2 * lane + 1) + lane) & mask;
      const auto code = static_cast<std::uint32_t>(encode_number(kind, in_lane, bytes));
      word |= in_lane << (bits * lane);
      expected |= ((descending ? ~code : code) & mask) << (bits * lane);
    }
    ASSERT_EQ(codec.encode(word), expected) << number;
    ASSERT_EQ(codec.decode(expected), word) << number;
  }
}

TEST(LaneCodec, AgreesWithTheKeyPlanForEveryShortNumber) {
  for (const bool descending : {false, true}) {
    for (const unsigned bytes : {1, 2}) {
      expect_codes_agree(FieldKind::kUnsigned, bytes, descending);
      expect_codes_agree(FieldKind::kSigned, bytes, descending);
    }
    expect_codes_agree(FieldKind::kFloat, 2, descending);
  }
}

TEST(LaneCodec, OfOneNumberGivesThatNumbersCode) {
  for (std::uint32_t number = 0; number <= 0xffff; ++number) {
    const auto half = static_cast<std::uint16_t>(number);
    const auto codec = make_short_codec<std::uint16_t>(FieldKind::kFloat, true);
    const auto code = static_cast<std::uint16_t>(~encode_number(FieldKind::kFloat, half, 2));
    ASSERT_EQ(codec.encode(half), code) << number;
    ASSERT_EQ(codec.decode(code), half) << number;
  }
  EXPECT_EQ(make_short_codec<std::uint8_t>(FieldKind::kSigned, false).encode(0xff), 0x7f);
  EXPECT_EQ(make_short_codec<std::uint8_t>(FieldKind::kSigned, false).decode(0x7f), 0xff);
}

}  // namespace
}  // namespace sortie::kernels
