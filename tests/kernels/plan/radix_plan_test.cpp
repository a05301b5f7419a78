#include "kernels/radix/radix_plan.hpp"

#include <gtest/gtest.h>

namespace sortie::kernels {
namespace {

TEST(RadixPlan, DigitsCoverTheBitsFromTheLowestOn) {
  const BitRange bits{3, 22};
  ASSERT_EQ(radix_digit_count(bits), 3U);
  EXPECT_EQ(radix_digit(bits, 0).shift, 3U);
  EXPECT_EQ(radix_digit(bits, 0).mask, 0xffU);
  EXPECT_EQ(radix_digit(bits, 2).shift, 19U);
  EXPECT_EQ(radix_digit(bits, 2).mask, 0x7U);
  EXPECT_EQ(radix_digit_count({0, 64}), kMaxDigits);
  EXPECT_EQ(radix_digit_count({0, 0}), 0U);
}

TEST(RadixPlan, DigitsPutTogetherAreTheKey) {
  const std::uint64_t key = 0x0123456789abcdefULL;
  std::uint64_t together = 0;
  for (unsigned i = 0; i < kMaxDigits; ++i) {
    together |= std::uint64_t{radix_digit({0, 64}, i).of(key)} << (kDigitBits * i);
  }
  EXPECT_EQ(together, key);
}

TEST(RadixPlan, PaddingHasTheHighestDigit) {
  for (const BitRange bits : {BitRange{0, 64}, BitRange{5, 9}}) {
    for (unsigned i = 0; i < radix_digit_count(bits); ++i) {
      const RadixDigit digit = radix_digit(bits, i);
      EXPECT_EQ(digit.of(~std::uint64_t{0}), digit.mask);
    }
  }
}

TEST(RadixPlan, LowestBitIsTheFirstThatIsSet) {
  EXPECT_EQ(lowest_bit(0b1011'0000), 4U);
  EXPECT_EQ(lowest_bit(1), 0U);
  EXPECT_EQ(lowest_bit(0), 0U);
}

TEST(RadixPlan, HighestBitsAreSoManyOrAll) {
  EXPECT_EQ(highest_bits(0b1011'0110, 4), 0b1011'0100U);
  EXPECT_EQ(highest_bits(0b1011'0000, 4), 0b1011'0000U);
  EXPECT_EQ(highest_bits(0b101, 4), 0b101U);
  EXPECT_EQ(highest_bits(0, 4), 0U);
}

TEST(RadixPlan, EveryTuningFitsTheScratchAndThePortions) {
  for (const RadixShape shape : {RadixShape::kLarge, RadixShape::kSmall}) {
    for (const unsigned key_bytes : {4U, 8U}) {
      for (const unsigned value_bytes : {0U, 4U, 8U}) {
        const RadixTuning tuning = radix_tuning(shape, key_bytes, value_bytes);
        EXPECT_GE(tuning.tile_items(), kSmallestRadixTile);
        EXPECT_GE(tuning.threads, kRadixBins);
        EXPECT_LT(kPortionTiles * tuning.tile_items(), std::uint64_t{1} << 30) << "counts share a word with two bits";
      }
    }
  }
}

TEST(RadixPlan, OrderedBitsAreThoseOfTheRange) {
  EXPECT_EQ(ordered_bits({0, 64}, 0x0123456789abcdefULL), 0x0123456789abcdefULL);
  EXPECT_EQ(ordered_bits({8, 24}, std::uint32_t{0x89abcdef}), 0xabcdU);
}

TEST(RadixPlan, VaryingDigitsHaveOnesAndZeros) {
  EXPECT_EQ(varying_digits({0, 64}, 0x00ff00ULL, 0x0100ffULL), 0U);
  EXPECT_EQ(varying_digits({0, 64}, 0xff0000000000ff00ULL, 0x0100000000000800ULL), 0x82U);
  EXPECT_EQ(varying_digits({4, 16}, 0x0010ULL, 0x001fULL), 0x1U);
}

TEST(RadixPlan, SampleTablesFitThePlaceOfTheStatusWords) {
  for (std::uint64_t count = kShortenFrom; count < std::uint64_t{1} << 34; count += count / 3) {
    const RadixScratch scratch = radix_scratch(nullptr, count);
    const std::uint64_t table_bytes = (kMaxDigits - 1) * radix_sample_keys(count) * sizeof(std::uint64_t);
    EXPECT_LE(table_bytes, scratch.status_words * sizeof(std::uint32_t)) << count;
    EXPECT_EQ(radix_sample_keys(count) & (radix_sample_keys(count) - 1), 0U);
    if (count < std::uint64_t{1} << 31) {
      EXPECT_GT(radix_sample_limit(count), 0U) << count;
    }
  }
  EXPECT_EQ(radix_sample_keys(kShortenFrom - 1), 0U);
}

}  // namespace
}  // namespace sortie::kernels
