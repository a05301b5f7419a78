#include "engine/cpu/number_run_former.hpp"

#include <algorithm>
#include <random>
#include <stop_token>

#include <gtest/gtest.h>

#include <sortie/error.hpp>

#include "base/checksum.hpp"
#include "support/record_data.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

template <class Code>
std::string sorted_array(const Format& format, const std::string& bytes) {
  const RecordOrder order(format);
  const ArrayCodec<Code> codec(order.plan().parts[0]);
  std::vector<Code> numbers(bytes.size() / sizeof(Code));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  std::vector<Code> sorted(numbers.size(), Code{0xdead});
  sort_numbers<Code>(numbers, sorted, codec);
  return {reinterpret_cast<const char*>(sorted.data()), bytes.size()};
}

void expect_sorted_numbers(const Format& format, const std::string& bytes) {
  const std::string sorted = format.record_bytes == 4 ? sorted_array<std::uint32_t>(format, bytes)
                                                      : sorted_array<std::uint64_t>(format, bytes);
  EXPECT_TRUE(sorted == stable_sorted(format, bytes));
}

class NumberSort : public testing::TestWithParam<const char*> {};

TEST_P(NumberSort, AgreesWithStableSortOnEveryDistribution) {
  for (const bool descending : test::turns_of({false, true})) {
    const Format format = parsed(GetParam(), {}, descending);
    for (const Distribution distribution : test::turns_of(kAllDistributions)) {
      for (const std::size_t count : {0, 1, 2, 1000, 32'768, 150'000}) {
        SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(count) + (descending ? ", descending" : ""));
        expect_sorted_numbers(format, make_records(format, distribution, count));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, NumberSort, testing::Values("u32", "i32", "u64", "i64", "f32", "f64"),
                         [](const auto& chosen) { return chosen.param; });

TEST(NumberSortFloats, FollowTheTotalOrder) {
  for (const bool descending : {false, true}) {
    for (const std::size_t repeats : {1, 10'000}) {
      expect_sorted_numbers(parsed("f32", {}, descending), special_floats<float>(repeats));
      expect_sorted_numbers(parsed("f64", {}, descending), special_floats<double>(repeats));
    }
  }
}

// The sampled numbers are small, and all others lie beyond them, in one bucket.
template <class Code>
std::string numbers_in_one_bucket(std::size_t count, Code different) {
  const std::size_t stride = ScatteredNumbers<Code>::sample_stride(count);
  std::mt19937_64 random(3);
  std::vector<Code> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<Code>(i % stride == 0 ? i / stride : 1'000'000 + random() % different);
  }
  return {reinterpret_cast<const char*>(numbers.data()), count * sizeof(Code)};
}

TEST(NumberSortBuckets, MayHoldNearlyAllNumbers) {
  constexpr std::size_t kCount = 2'000'000;
  for (const bool is_long : turns_of({false, true})) {
    for (const std::uint32_t different : turns_of({1U, 20U, 4'000'000'000U})) {
      with_threads(3, [&] {
        if (is_long) {
          expect_sorted_numbers(parsed("u64", {}, true), numbers_in_one_bucket<std::uint64_t>(kCount, different));
        } else {
          expect_sorted_numbers(parsed("u32"), numbers_in_one_bucket<std::uint32_t>(kCount, different));
        }
      });
    }
  }
}

// One bucket holds nearly all numbers, and more than are sorted in one go.
TEST(NumberSortBuckets, AreCutUpIfTheyAreTooLargeAndStopWhenTheyAreAskedTo) {
  constexpr std::size_t kCount = 9'000'000;
  const std::string bytes = numbers_in_one_bucket<std::uint32_t>(kCount, 4'000'000'000U);
  with_threads(2, [&] {
    const std::string sorted = sorted_array<std::uint32_t>(parsed("u32"), bytes);
    const std::span numbers(reinterpret_cast<const std::uint32_t*>(sorted.data()), kCount);
    EXPECT_TRUE(std::ranges::is_sorted(numbers));
    EXPECT_EQ(checksum_numbers(as_bytes(sorted), 4), checksum_numbers(as_bytes(bytes), 4));
  });
  std::stop_source stop;
  ThreadTeam(2, stop.get_token()).run([&] {
    const RecordOrder order(parsed("u32"));
    const std::span<const std::uint32_t> numbers(reinterpret_cast<const std::uint32_t*>(bytes.data()), kCount);
    std::vector<std::uint32_t> sorted(kCount);
    const ScatteredNumbers<std::uint32_t> scattered(numbers, std::span(sorted),
                                                    ArrayCodec<std::uint32_t>(order.plan().parts[0]));
    const std::size_t half = scattered.bucket_count() / 2;
    const auto ignore = [](std::span<const std::uint32_t>) {};
    scattered.sort(0, half, ignore);
    stop.request_stop();
    EXPECT_THROW(scattered.sort(half, scattered.bucket_count(), ignore), Stopped);
  });
}

TEST(NumberSortThreads, MakeNoDifference) {
  const Format format = parsed("i64");
  const std::string bytes = make_records(format, Distribution::kUniform, 100'000);
  for (const int threads : {1, 7}) with_threads(threads, [&] { expect_sorted_numbers(format, bytes); });
}

}  // namespace
}  // namespace sortie
