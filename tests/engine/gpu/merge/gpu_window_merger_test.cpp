#include <gtest/gtest.h>

#include <future>

#include <sortie/error.hpp>

#include "engine/gpu/gpu_engine.hpp"
#include "engine/gpu/sample_records.hpp"
#include "record/record_scan.hpp"
#include "support/require_gpu.hpp"

namespace sortie {
namespace {

using test::ByteVector;
using test::Sample;

constexpr std::uint64_t kMiB = 1 << 20;

std::unique_ptr<Engine> make_engine(const Format& format, std::uint64_t device_memory_bytes) {
  GpuEngineOptions options;
  options.device = list_devices().devices[0].number;
  options.device_memory_bytes = device_memory_bytes;
  return make_gpu_engine(format, options);
}

/// The sample as sorted ranges of very different length, with empty ones between them.
std::vector<ByteVector> sorted_ranges(const Sample& sample, std::size_t range_count) {
  const Layout layout = layout_of(sample.format);
  std::vector<ByteVector> ranges;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= range_count; ++i) {
    const std::size_t end =
        boundary_at_or_after(layout, sample.bytes, sample.bytes.size() * i * i / (range_count * range_count));
    ranges.push_back(test::stable_sorted(sample.format, std::span(sample.bytes).subspan(begin, end - begin)));
    if (i % 5 == 0) ranges.emplace_back();
    begin = end;
  }
  return ranges;
}

ByteVector drained(MergedWindow& window) {
  ByteVector bytes;
  window.drain([&](std::span<std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  EXPECT_EQ(bytes.size(), window.byte_count());
  return bytes;
}

ByteVector merged(WindowMerger& merger, const std::vector<ByteVector>& owned) {
  const std::vector<std::span<const std::byte>> ranges(owned.begin(), owned.end());
  return drained(*merger.merge(ranges, nullptr, {}));
}

struct MergeCase {
  std::size_t record_count;
  std::size_t range_count;
  std::uint64_t device_bytes;
};

class GpuWindowMerger : public testing::TestWithParam<MergeCase> {};

TEST_P(GpuWindowMerger, RangesMergeStablyForEveryKindOfRecord) {
  SORTIE_REQUIRE_GPU();
  const auto [record_count, range_count, device_bytes] = GetParam();
  for (const Sample& sample : test::all_samples(record_count)) {
    const auto engine = make_engine(sample.format, device_bytes);
    const auto merger = engine->make_window_merger({kMiB, sample.bytes.size()});
    const ByteVector output = merged(*merger, sorted_ranges(sample, range_count));
    EXPECT_TRUE(output == test::stable_sorted(sample.format, sample.bytes)) << sample.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GpuWindowMerger,
                         testing::Values(MergeCase{1, 1, 8 * kMiB}, MergeCase{2, 2, 8 * kMiB},
                                         MergeCase{1'000, 1, 8 * kMiB}, MergeCase{1'000, 3, 8 * kMiB},
                                         MergeCase{2'000, 300, 8 * kMiB}, MergeCase{100'000, 13, 64 * kMiB},
                                         // Windows many times larger than the device memory allowed.
                                         MergeCase{20'000, 7, 256 << 10}, MergeCase{60'000, 40, kMiB}));

TEST(GpuWindowMergerLimits, RecordsTooLargeForTheDeviceStillMerge) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(8);
  Sample sample{"huge lines", parse_format("lines"), {}};
  for (int i = 0; i < 12; ++i) {
    ByteVector line(200'000 + random() % 3, static_cast<std::byte>('a' + random() % 2));
    line.back() = std::byte{'\n'};
    sample.bytes.insert(sample.bytes.end(), line.begin(), line.end());
  }
  const auto engine = make_engine(sample.format, 256 << 10);
  const auto merger = engine->make_window_merger({kMiB, sample.bytes.size()});
  EXPECT_TRUE(merged(*merger, sorted_ranges(sample, 5)) == test::stable_sorted(sample.format, sample.bytes));
}

TEST(GpuWindowMergerLimits, LinesThatAreTooManyForTheDeviceStillMerge) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(9);
  Sample sample{"short lines", parse_format("lines"), {}};
  for (int i = 0; i < 60'000; ++i) {
    sample.bytes.push_back(static_cast<std::byte>('a' + random() % 26));
    sample.bytes.push_back(std::byte{'\n'});
  }
  // Half of this takes their bytes and what a line each needs, but not all lines.
  const auto engine = make_engine(sample.format, kMiB);
  const auto merger = engine->make_window_merger({kMiB, sample.bytes.size()});
  EXPECT_TRUE(merged(*merger, sorted_ranges(sample, 5)) == test::stable_sorted(sample.format, sample.bytes));
}

TEST(GpuWindowMergerLimits, NothingMergesToNothing) {
  SORTIE_REQUIRE_GPU();
  const auto engine = make_engine(parse_format("gensort"), 8 * kMiB);
  const auto merger = engine->make_window_merger({kMiB, kMiB});
  EXPECT_TRUE(merged(*merger, {}).empty());
  EXPECT_TRUE(merged(*merger, {{}, {}}).empty());
}

TEST(GpuWindowMergerThreads, TwoWindowsAreUnderWayAtATime) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(10);
  std::vector<Sample> samples;
  for (int i = 0; i < 7; ++i) samples.push_back(test::gensort_with_ties(10'000 + 1000 * i, random));
  const auto engine = make_engine(samples[0].format, 16 * kMiB);
  const auto merger = engine->make_window_merger({kMiB, 4 * kMiB});
  // Each window is drained only when the next one has been merged; its ranges are gone by then.
  std::unique_ptr<MergedWindow> before;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::vector<ByteVector> owned = sorted_ranges(samples[i], 4);
    const std::vector<std::span<const std::byte>> ranges(owned.begin(), owned.end());
    std::unique_ptr<MergedWindow> window = merger->merge(ranges, nullptr, {});
    if (before) {
      EXPECT_TRUE(drained(*before) == test::stable_sorted(samples[i - 1].format, samples[i - 1].bytes)) << i;
    }
    before = std::move(window);
  }
  EXPECT_TRUE(drained(*before) == test::stable_sorted(samples.back().format, samples.back().bytes));
}

TEST(GpuWindowMergerThreads, WindowsThatAreThrownAwayMakeRoom) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(11);
  const Sample sample = test::gensort_with_ties(20'000, random);
  const std::vector<ByteVector> owned = sorted_ranges(sample, 4);
  const std::vector<std::span<const std::byte>> ranges(owned.begin(), owned.end());
  const auto engine = make_engine(sample.format, 16 * kMiB);
  const auto merger = engine->make_window_merger({kMiB, sample.bytes.size()});
  for (int i = 0; i < 5; ++i) merger->merge(ranges, nullptr, {});
  const auto refused = merger->merge(ranges, nullptr, {});
  EXPECT_THROW(refused->drain([](auto) { throw Error("enough"); }), Error);
  EXPECT_TRUE(merged(*merger, owned) == test::stable_sorted(sample.format, sample.bytes));
}

TEST(GpuWindowMergerLimits, TheBestWindowFitsTheDevice) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(12);
  const Sample sample = test::gensort_with_ties(20'000, random);
  const auto engine = make_engine(sample.format, 4 * kMiB);
  const auto merger = engine->make_window_merger({kMiB, sample.bytes.size()});
  EXPECT_GT(merger->best_window_bytes(), kMiB);
  EXPECT_LT(merger->best_window_bytes(), 2 * kMiB);
}

TEST(GpuWindowMergerThreads, MergersOfOneEngineMayBeUsedAtOnce) {
  SORTIE_REQUIRE_GPU();
  std::mt19937_64 random(9);
  const Sample sample = test::gensort_with_ties(20'000, random);
  const std::vector<ByteVector> ranges = sorted_ranges(sample, 9);
  const auto engine = make_engine(sample.format, 16 * kMiB);
  std::vector<std::future<ByteVector>> outputs;
  for (int i = 0; i < 4; ++i) {
    outputs.push_back(std::async(std::launch::async, [&] {
      const auto merger = engine->make_window_merger({kMiB, sample.bytes.size()});
      return merged(*merger, ranges);
    }));
  }
  const ByteVector expected = test::stable_sorted(sample.format, sample.bytes);
  for (auto& output : outputs) EXPECT_TRUE(output.get() == expected);
}

}  // namespace
}  // namespace sortie
