#include "pipeline/runs/compression_policy.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sortie {
namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;

// The evidence from a disk and an encoder that work at these rates.
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
  CompressionPolicy none(options_with(Compression::kNone), {.is_short = true});
  CompressionPolicy zstd(options_with(Compression::kZstd), {});
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(none.next().codec, BlockCodec::kRaw);
    EXPECT_NE(zstd.next().codec, BlockCodec::kRaw);
  }
}

TEST(CompressionPolicy, TakesTheLevelAskedFor) {
  SortOptions options = options_with(Compression::kZstd);
  EXPECT_EQ(CompressionPolicy(options, {}).next().zstd_level, 1);
  options.compression_level = 7;
  EXPECT_EQ(CompressionPolicy(options, {}).next().zstd_level, 7);
  options.compression_level = -3;
  EXPECT_EQ(CompressionPolicy(options, {}).next().zstd_level, -3);
}

TEST(CompressionPolicy, TurnsNumbersIntoColumns) {
  CompressionPolicy policy(options_with(Compression::kZstd, "u32"), {});
  EXPECT_EQ(policy.next().codec, BlockCodec::kDeltaShuffleZstd);
}

TEST(CompressionPolicy, CompressesWhenScratchSpaceIsShort) {
  CompressionPolicy policy(options_with(Compression::kAuto), {.is_short = true});
  for (int i = 0; i < 100; ++i) EXPECT_NE(policy.next().codec, BlockCodec::kRaw);
}

struct Stored {
  int compressed = 0;
  int trials = 0;
};

// Stores `parts` that compression halves. Writing takes this much longer than encoding.
Stored store_parts(CompressionPolicy& policy, int parts, double write_seconds_per_part) {
  Stored stored;
  for (int i = 0; i < parts; ++i) {
    const auto choice = policy.next();
    const bool raw = choice.codec == BlockCodec::kRaw;
    stored.compressed += raw ? 0 : 1;
    stored.trials += choice.needs_trial ? 1 : 0;
    policy.record(choice, 1000, raw ? 1000 : 500, raw ? 0 : 1.0,
                  raw ? write_seconds_per_part : write_seconds_per_part / 2);
    if (choice.needs_trial) policy.record_trial(100, 50, 0.1);
  }
  return stored;
}

TEST(CompressionPolicy, WritesFilesInMemoryAsTheyAre) {
  CompressionPolicy policy(options_with(Compression::kAuto), {.lies_in_memory = true});
  EXPECT_TRUE(policy.never_compresses());
  const Stored stored = store_parts(policy, 100, 100);
  EXPECT_EQ(stored.compressed, 0) << "even if writing seems to be slow";
  EXPECT_EQ(stored.trials, 0);
  CompressionPolicy short_of_it(options_with(Compression::kAuto), {.is_short = true, .lies_in_memory = true});
  EXPECT_FALSE(short_of_it.never_compresses());
  EXPECT_NE(short_of_it.next().codec, BlockCodec::kRaw);
  CompressionPolicy asked(options_with(Compression::kZstd), {.lies_in_memory = true});
  EXPECT_FALSE(asked.never_compresses());
}

TEST(CompressionPolicy, CompressesWhatATrialShowsToPay) {
  CompressionPolicy policy(options_with(Compression::kAuto), {});
  const Stored stored = store_parts(policy, 320, 10);
  EXPECT_EQ(stored.compressed, 319) << "all but the part of the trial";
  EXPECT_EQ(stored.trials, 1);
}

TEST(CompressionPolicy, TriesEverMoreSeldomWhatDoesNotPay) {
  CompressionPolicy policy(options_with(Compression::kAuto), {});
  EXPECT_EQ(store_parts(policy, 16, 0.1).trials, 1);
  EXPECT_EQ(store_parts(policy, 32, 0.1).trials, 1);
  EXPECT_EQ(store_parts(policy, 64, 0.1).trials, 1);
  const Stored stored = store_parts(policy, 10'000, 0.1);
  EXPECT_EQ(stored.compressed, 0);
  EXPECT_GE(stored.trials, 10'000 / 1024);
  EXPECT_LE(stored.trials, 10'000 / 1024 + 5);
}

TEST(CompressionPolicy, TurnsToCompressionWhenTheDiskSlowsDown) {
  CompressionPolicy policy(options_with(Compression::kAuto), {});
  EXPECT_EQ(store_parts(policy, 100, 0.1).compressed, 0);
  EXPECT_GT(store_parts(policy, 100, 100).compressed, 90);
}

}  // namespace
}  // namespace sortie
