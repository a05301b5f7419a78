#include "pipeline/compression_policy.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sortie {
namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;

// Of a disk that writes and an encoder that encodes at these rates.
CompressionEvidence evidence(double encode_rate, double ratio, double write_rate) {
  CompressionEvidence seen;
  seen.encoded_bytes = kGigabyte;
  seen.encoded_size = static_cast<std::uint64_t>(ratio * kGigabyte);
  seen.encode_seconds = kGigabyte / encode_rate;
  seen.written_bytes = kGigabyte;
  seen.write_seconds = kGigabyte / write_rate;
  return seen;
}

SortOptions options_with(Compression compression, const char* format = "lines") {
  SortOptions options;
  options.format = parse_format(format);
  options.compression = compression;
  return options;
}

TEST(CompressionPays, OnASlowDiskWhenRecordsShrink) {
  EXPECT_TRUE(compression_pays(evidence(1e9, 0.3, 0.2e9)));
  EXPECT_TRUE(compression_pays(evidence(1e9, 0.9, 0.1e9)));
}

TEST(CompressionPays, NotOnAFastDiskNorWhenRecordsDoNotShrink) {
  EXPECT_FALSE(compression_pays(evidence(1e9, 0.3, 5e9)));
  EXPECT_FALSE(compression_pays(evidence(1e9, 1.0, 0.2e9)));
}

TEST(CompressionPays, TurnsWhereBothWaysTakeAsLong) {
  // 1.25 / encode_rate + 2 * ratio / write_rate = 2 / write_rate
  EXPECT_TRUE(compression_pays(evidence(1e9, 0.5, 0.79e9)));
  EXPECT_FALSE(compression_pays(evidence(1e9, 0.5, 0.81e9)));
}

TEST(CompressionPays, NotWithoutEvidence) {
  EXPECT_FALSE(compression_pays({}));
  CompressionEvidence only_raw;
  only_raw.written_bytes = kGigabyte;
  only_raw.write_seconds = 100;
  EXPECT_FALSE(compression_pays(only_raw));
}

TEST(CompressionPolicy, DoesWhatItIsTold) {
  CompressionPolicy none(options_with(Compression::kNone), true);
  CompressionPolicy zstd(options_with(Compression::kZstd), false);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(none.next().codec, BlockCodec::kRaw);
    EXPECT_NE(zstd.next().codec, BlockCodec::kRaw);
  }
}

TEST(CompressionPolicy, TakesTheLevelAskedFor) {
  SortOptions options = options_with(Compression::kZstd);
  EXPECT_EQ(CompressionPolicy(options, false).next().zstd_level, 1);
  options.compression_level = 7;
  EXPECT_EQ(CompressionPolicy(options, false).next().zstd_level, 7);
  options.compression_level = -3;
  EXPECT_EQ(CompressionPolicy(options, false).next().zstd_level, -3);
}

TEST(CompressionPolicy, TurnsNumbersIntoColumns) {
  CompressionPolicy policy(options_with(Compression::kZstd, "u32"), false);
  EXPECT_EQ(policy.next().codec, BlockCodec::kDeltaShuffleZstd);
}

TEST(CompressionPolicy, CompressesWhenScratchSpaceIsShort) {
  CompressionPolicy policy(options_with(Compression::kAuto), true);
  for (int i = 0; i < 100; ++i) EXPECT_NE(policy.next().codec, BlockCodec::kRaw);
}

// How many of `parts` are compressed when writing is this much slower than encoding.
int compressed_of(int parts, double write_seconds_per_part) {
  CompressionPolicy policy(options_with(Compression::kAuto), false);
  int compressed = 0;
  for (int i = 0; i < parts; ++i) {
    const auto choice = policy.next();
    const bool raw = choice.codec == BlockCodec::kRaw;
    compressed += raw ? 0 : 1;
    policy.record(choice, 1000, raw ? 1000 : 500, raw ? 0 : 1.0,
                  raw ? write_seconds_per_part : write_seconds_per_part / 2);
  }
  return compressed;
}

TEST(CompressionPolicy, MeasuresBothWaysAndTakesTheFaster) {
  EXPECT_GE(compressed_of(320, 10), 300);
  EXPECT_LT(compressed_of(320, 10), 320) << "the other way is tried now and then";
  EXPECT_LE(compressed_of(320, 0.1), 20);
  EXPECT_GT(compressed_of(320, 0.1), 0);
}

}  // namespace
}  // namespace sortie
