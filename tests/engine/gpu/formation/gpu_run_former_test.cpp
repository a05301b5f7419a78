#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include <sortie/error.hpp>

#include "base/device_error.hpp"
#include "base/memory_region.hpp"
#include "engine/gpu/engine_driver.hpp"
#include "engine/gpu/gpu_engine.hpp"
#include "engine/gpu/sample_records.hpp"
#include "record/record_scan.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

using test::ByteVector;
using test::Sample;

constexpr std::uint64_t kMiB = 1 << 20;

GpuEngineOptions options_with(std::uint64_t device_memory_bytes, Algorithm algorithm = Algorithm::kAuto) {
  GpuEngineOptions options;
  options.device = list_devices().devices[0].number;
  options.device_memory_bytes = device_memory_bytes;
  options.algorithm = algorithm;
  options.threads = 4;
  return options;
}

/// Forms runs of the sample and compares each with the stable sort of its input. Returns their number.
std::size_t check_runs(const Sample& sample, const GpuEngineOptions& options, const FormationBudget& budget) {
  const auto engine = make_gpu_engine(sample.format, options);
  const auto former = engine->make_run_former(budget);
  test::FormerDriver driver(*former, sample.format, budget.part_bytes);
  auto runs = driver.form_runs(sample.bytes);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_TRUE(runs[i].output.get() == test::stable_sorted(sample.format, runs[i].input))
        << sample.name << ", run " << i << " of " << runs.size();
  }
  return runs.size();
}

struct SizeCase {
  std::size_t record_count;
  std::uint64_t device_bytes;
  std::uint64_t host_bytes;
  std::uint64_t part_bytes;
};

class GpuRunFormer : public testing::TestWithParam<SizeCase> {};

TEST_P(GpuRunFormer, RunsAreStablySortedForEveryKindOfRecord) {
  SORTIE_REQUIRE_GPU();
  const SizeCase& size = GetParam();
  for (const Sample& sample : test::all_samples(size.record_count)) {
    check_runs(sample, options_with(size.device_bytes), {size.host_bytes, size.part_bytes, 0});
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GpuRunFormer,
                         testing::Values(SizeCase{1, 8 * kMiB, 4 * kMiB, kMiB}, SizeCase{5, 8 * kMiB, 4 * kMiB, kMiB},
                                         SizeCase{3'000, 512 << 10, 256 << 10, 5'000},
                                         SizeCase{40'000, 2 * kMiB, 256 << 10, 64 << 10},
                                         SizeCase{150'000, 24 * kMiB, 8 * kMiB, kMiB}));

TEST(GpuRunFormerChunks, LargeChunksOfEveryKindAreSorted) {
  SORTIE_REQUIRE_GPU();
  for (const Sample& sample : test::all_samples(600'000)) {
    const std::size_t runs = check_runs(sample, options_with(1 << 30), {64 * kMiB, 4 * kMiB, sample.bytes.size()});
    EXPECT_EQ(runs, 1U) << sample.name << ": the expected input fits one run";
  }
}

TEST(GpuRunFormerChunks, EveryAlgorithmGivesTheSameBytes) {
  SORTIE_REQUIRE_GPU();
  for (const std::size_t record_count : {100, 30'000}) {
    for (const Sample& sample : test::all_samples(record_count)) {
      for (const Algorithm algorithm :
           {Algorithm::kBitonic, Algorithm::kRadix, Algorithm::kMerge, Algorithm::kOddEven, Algorithm::kSplitRadix}) {
        check_runs(sample, options_with(8 * kMiB, algorithm), {4 * kMiB, kMiB, 0});
      }
    }
  }
}

TEST(GpuRunFormerLines, LinesLongerThanPiecesAndPartsGoThroughAlone) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(3);
  Sample sample = test::lines("long_lines", test::LineKind::kMixed, 2'000, random);
  for (const std::size_t length : {300'000, 100'000, 300'000, 70'000}) {
    ByteVector line(length, std::byte{'y'});
    line[length - 2] = static_cast<std::byte>(random() % 200 + 11);
    line.back() = std::byte{'\n'};
    const std::size_t middle =
        boundary_at_or_after(layout_of(sample.format), sample.bytes, random() % sample.bytes.size());
    sample.bytes.insert(sample.bytes.begin() + static_cast<std::ptrdiff_t>(middle), line.begin(), line.end());
  }
  EXPECT_GE(check_runs(sample, options_with(8 * kMiB), {2 * kMiB, 16 << 10, 0}), 1U);
}

TEST(GpuRunFormerLines, LineTooLongForTheHostsShareIsNotTaken) {
  SORTIE_REQUIRE_GPU();
  const auto engine = make_gpu_engine(parse_format("lines"), options_with(64 * kMiB));
  const auto former = engine->make_run_former({kMiB, 64 << 10, 0});
  EXPECT_FALSE(former->next_piece().empty());
  EXPECT_TRUE(former->next_large_piece(2 * kMiB).empty());
  EXPECT_FALSE(former->next_large_piece(128 << 10).empty());
}

TEST(GpuRunFormerLines, LinesThatBecomeShorterEndTheRunEarlier) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(4);
  Sample sample = test::lines("shrinking", test::LineKind::kLongCommonPrefix, 20'000, random);
  const Sample empty = test::lines("empty", test::LineKind::kEmpty, 200'000, random);
  sample.bytes.insert(sample.bytes.end(), empty.bytes.begin(), empty.bytes.end());
  EXPECT_GT(check_runs(sample, options_with(4 * kMiB), {kMiB, 64 << 10, 0}), 2U);
}

TEST(GpuRunFormerSlots, ThirdRunWaitsUntilAnotherHasLeft) {
  SORTIE_REQUIRE_GPU();
  const auto engine = make_gpu_engine(parse_format("u64"), options_with(kMiB));
  const auto former = engine->make_run_former({kMiB, 64 << 10, 0});
  const auto form_run = [&] {
    std::span<std::byte> piece = former->next_piece();
    std::fill(piece.begin(), piece.end(), std::byte{7});
    former->commit_piece(piece.size(), piece.size() / 8);
    return former->finish_run();
  };
  std::unique_ptr<SortedRun> first = form_run();
  const std::unique_ptr<SortedRun> second = form_run();
  auto third = std::async(std::launch::async, form_run);
  EXPECT_EQ(third.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  first.reset();
  EXPECT_GT(third.get()->record_count(), 0U);
}

TEST(GpuRunFormerSlots, RunsThrownAwayOrRefusedByTheConsumerFreeTheirSlot) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(5);
  const Sample sample = test::fixed_sample("gensort", parse_format("gensort"), 1'000, random);
  const auto engine = make_gpu_engine(sample.format, options_with(2 * kMiB));
  const auto former = engine->make_run_former({kMiB, 10'000, 0});
  for (int i = 0; i < 6; ++i) {
    const std::span<std::byte> piece = former->next_piece();
    const std::size_t bytes = std::min(piece.size(), sample.bytes.size()) / 100 * 100;
    std::memcpy(piece.data(), sample.bytes.data(), bytes);
    former->commit_piece(bytes, bytes / 100);
    const auto run = former->finish_run();
    if (i % 3 == 0) continue;
    if (i % 3 == 1) {
      EXPECT_THROW(run->drain([](std::span<std::byte>) { throw std::runtime_error("refused"); }), std::runtime_error);
    } else {
      EXPECT_TRUE(test::drained(*run, layout_of(sample.format), 10'000) ==
                  test::stable_sorted(sample.format, std::span(sample.bytes).first(bytes)));
    }
  }
}

TEST(GpuRunFormerSlots, RunOutlivesItsFormer) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(6);
  const Sample sample = test::numbers("f32", false, 5'000, random);
  const auto engine = make_gpu_engine(sample.format, options_with(8 * kMiB));
  auto former = engine->make_run_former({4 * kMiB, 4'000, sample.bytes.size()});
  std::unique_ptr<SortedRun> run;
  for (std::size_t at = 0; at < sample.bytes.size();) {
    const std::span<std::byte> piece = former->next_piece();
    const std::size_t bytes = std::min(piece.size(), sample.bytes.size() - at);
    std::memcpy(piece.data(), sample.bytes.data() + at, bytes);
    former->commit_piece(bytes, bytes / 4);
    at += bytes;
  }
  EXPECT_FALSE(former->next_piece().empty()) << "there must be room to find out that the input has ended";
  run = former->finish_run();
  former.reset();
  EXPECT_TRUE(test::drained(*run, layout_of(sample.format), 4'000) == test::stable_sorted(sample.format, sample.bytes));
}

TEST(GpuRunFormerBudget, DeviceMemoryTooSmallForARecordIsRefused) {
  SORTIE_REQUIRE_GPU();
  EXPECT_THROW(make_gpu_engine(parse_format("fixed:100000"), options_with(256 << 10)), DeviceFullError);
}

/// Element i of a sequence that visits all 32-bit values before it repeats one.
std::uint32_t scattered(std::uint64_t i) { return static_cast<std::uint32_t>(i * 2'654'435'761U); }

TEST(GpuRunFormerCounts, MoreThanTwoToTheThirtyTwoNumbersMakeOneRun) {
  SORTIE_REQUIRE_GPU();
  constexpr std::uint64_t kCount = 5'000'000'000;
  if (list_devices().devices[0].free_bytes < 45'000'000'000) GTEST_SKIP() << "needs 45 GB of free device memory";
  GpuEngineOptions options = options_with(0);
  options.workload.bytes = 4 * kCount;
  const auto engine = make_gpu_engine(parse_format("u32"), options);
  const auto former = engine->make_run_former({1 << 30, 16 * kMiB, 4 * kCount});
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < kCount;) {
    const std::span<std::byte> piece = former->next_piece();
    ASSERT_FALSE(piece.empty()) << "after " << i;
    const std::uint64_t count = std::min<std::uint64_t>(piece.size() / 4, kCount - i);
    auto* numbers = reinterpret_cast<std::uint32_t*>(piece.data());
    for (std::uint64_t j = 0; j < count; ++j) sum += numbers[j] = scattered(i + j);
    former->commit_piece(4 * count, count);
    i += count;
  }
  const auto run = former->finish_run();
  ASSERT_EQ(run->record_count(), kCount);
  std::uint64_t descents = 0;
  std::uint32_t last = 0;
  run->drain([&](std::span<std::byte> part) {
    const auto* numbers = reinterpret_cast<const std::uint32_t*>(part.data());
    descents += numbers[0] < last ? 1 : 0;
    for (std::size_t j = 1; j < part.size() / 4; ++j) descents += numbers[j] < numbers[j - 1] ? 1 : 0;
    for (std::size_t j = 0; j < part.size() / 4; ++j) sum -= numbers[j];
    last = numbers[part.size() / 4 - 1];
  });
  EXPECT_EQ(descents, 0U);
  EXPECT_EQ(sum, 0U);
}

TEST(GpuRunFormerHome, RunsGoStraightToTheirHome) {
  SORTIE_REQUIRE_GPU();
  for (const Sample& sample : test::all_samples(30'000)) {
    for (const bool is_pinned : {true, false}) {
      const auto engine = make_gpu_engine(sample.format, options_with(32 * kMiB));
      const auto former = engine->make_run_former({8 * kMiB, 64 << 10, 0});
      test::FormerDriver driver(*former, sample.format, 64 << 10);
      std::span<const std::byte> rest = sample.bytes;
      const std::size_t bytes = driver.feed_run(rest);
      const auto run = former->finish_run();
      MemoryRegion target(bytes);
      touch_pages(target.bytes());
      const auto pin = is_pinned ? engine->pin(target.bytes()) : nullptr;
      const std::byte* expected_at = target.data();
      run->drain_into(target.bytes(), [&](std::span<std::byte> part) {
        EXPECT_EQ(part.data(), expected_at);
        expected_at = part.data() + part.size();
      });
      EXPECT_EQ(expected_at, target.data() + bytes);
      const ByteVector sorted = test::stable_sorted(sample.format, rest.first(bytes));
      EXPECT_TRUE(std::ranges::equal(sorted, target.bytes())) << sample.name;
    }
  }
}

}  // namespace
}  // namespace sortie
