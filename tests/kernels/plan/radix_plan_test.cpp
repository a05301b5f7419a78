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

TEST(RadixPlan, ShortKeysAndFewDigitsOfShortSortsAreAllTaken) {
  EXPECT_TRUE(takes_all_digits<std::uint16_t>(std::uint64_t{1} << 30, {0, 16}));
  EXPECT_TRUE(takes_all_digits<std::uint32_t>(kShortenFrom - 1, {8, 24}));
  EXPECT_FALSE(takes_all_digits<std::uint32_t>(kShortenFrom, {8, 24})) << "sorted keys are worth a look";
  EXPECT_FALSE(takes_all_digits<std::uint64_t>(1000, {0, 17}));
}

TEST(RadixPlan, EveryTuningFitsTheScratchAndThePortions) {
  for (const RadixShape shape : {RadixShape::kLarge, RadixShape::kMiddle, RadixShape::kSmall}) {
    for (const unsigned key_bytes : {1U, 2U, 4U, 8U}) {
      for (const unsigned value_bytes : {0U, 4U, 8U}) {
        const RadixTuning tuning = radix_tuning(shape, key_bytes, value_bytes);
        EXPECT_GE(tuning.tile_items(), kSmallestRadixTile);
        EXPECT_GE(tuning.threads, kRadixBins);
        EXPECT_LT(kPortionTiles * tuning.tile_items(), std::uint64_t{1} << 30) << "counts share a word with two bits";
      }
    }
  }
}

TEST(RadixPlan, TilesOfBucketsAreFullButNotTooFullOnAverage) {
  for (std::uint64_t count = kBucketRoomFrom; counts_buckets(count, 26); count += count / 7) {
    const std::uint64_t mean = (count << log2_tile_buckets(count)) >> kBucketBits;
    EXPECT_LE(mean, kMostMeanBucketItems) << count;
    EXPECT_GE(2 * mean, kMostMeanBucketItems - 2) << count;
  }
  EXPECT_FALSE(counts_buckets((kMostMeanBucketItems + 1) << kBucketBits, 26));
  EXPECT_FALSE(counts_buckets((std::uint64_t{1} << 27) - 1, 27));
  EXPECT_TRUE(counts_buckets(std::uint64_t{1} << 27, 27));
  EXPECT_FALSE(counts_buckets(std::uint64_t{1} << 27, 0)) << "never";
}

template <unsigned... kArchitectures>
constexpr bool is_among(unsigned architecture, std::integer_sequence<unsigned, kArchitectures...>) {
  return ((architecture == kArchitectures) || ...);
}

/// Rows of the table that a script may have written.
TEST(RadixPlan, EveryTuningRowCanBeUsed) {
  for (const RadixTuningRow& row : kRadixTunings) {
    EXPECT_TRUE(row.log2_buckets_from == 0 || std::uint64_t{1} << row.log2_buckets_from >= kBucketRoomFrom);
    EXPECT_TRUE(is_among(row.architecture, TunedArchitectures())) << row.architecture;
    EXPECT_LE(std::uint64_t{1} << row.log2_most_by_network, std::uint64_t{1} << row.log2_large_from);
    EXPECT_EQ(radix_tuning_row(row.architecture, row.key_bytes, row.value_bytes).log2_large_from, row.log2_large_from);
  }
  EXPECT_EQ(radix_tuning_row(12, 8, 4).architecture, kDefaultArchitecture);
}

/// Callers take scratch for the most items that they will sort.
TEST(RadixPlan, ScratchForMoreItemsServesForFewer) {
  std::uint64_t before = 0;
  for (std::uint64_t count = 1; count < std::uint64_t{1} << 34; count += 1 + count / 5) {
    const std::uint64_t bytes = radix_scratch(nullptr, count).size_bytes;
    EXPECT_GE(bytes, before) << count;
    before = bytes;
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
