#include <sortie/argsort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "support/distributions.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

constexpr std::int64_t kUnset = -1;

template <class Number>
std::vector<std::int64_t> argsorted(const std::vector<Number>& numbers, const ArgsortOptions& options = {}) {
  std::vector<std::int64_t> indexes(numbers.size(), kUnset);
  argsort<Number>(numbers, indexes, options);
  return indexes;
}

template <class Number, class Less>
std::vector<std::int64_t> stable_order(const std::vector<Number>& numbers, const Less& less) {
  std::vector<std::int64_t> indexes(numbers.size());
  std::iota(indexes.begin(), indexes.end(), 0);
  std::ranges::stable_sort(indexes, less, [&](std::int64_t index) { return numbers[static_cast<std::size_t>(index)]; });
  return indexes;
}

TEST(Argsort, IsStableForAllDistributions) {
  for (const Distribution distribution : test::turns_of(kAllDistributions)) {
    for (const std::uint64_t count : {0, 1, 2, 1000, 40'000}) {
      SCOPED_TRACE(std::string(to_string(distribution)) + ", " + std::to_string(count) + " numbers, seed 53");
      const auto wide = make_keys<std::uint64_t>(distribution, count, 53);
      EXPECT_EQ(argsorted(wide), stable_order(wide, std::less<>()));
      const auto narrow = make_keys<std::uint32_t>(distribution, count, 54);
      EXPECT_EQ(argsorted(narrow, {.descending = true, .threads = 3, .stop = {}}),
                stable_order(narrow, std::greater<>()));
    }
  }
}

// Most numbers lie so close together that no bucket of a scatter tells them apart, and words of 64 bits have no room
// for their bits beside their positions.
TEST(Argsort, OrdersNumbersThatDifferInTheirLastBits) {
  std::vector<std::uint64_t> numbers = make_keys<std::uint64_t>(Distribution::kUniform, 300'000, 55);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i % 1000 != 0) numbers[i] = (std::uint64_t{1} << 63) + numbers[i] % 5000;
  }
  EXPECT_EQ(argsorted(numbers), stable_order(numbers, std::less<>()));
}

// So many indexes are scattered past the caches.
TEST(Argsort, IsStableForManyNumbers) {
  const auto numbers = make_keys<std::uint32_t>(Distribution::kUniform, 2'200'003, 56);
  EXPECT_EQ(argsorted(numbers), stable_order(numbers, std::less<>()));
}

// All samples, which are every 1098th number here, are in other buckets than the rest, which is in one.
TEST(Argsort, SortsABucketThatSamplesDidNotExpect) {
  constexpr std::size_t kCount = 4'500'000;
  std::vector<std::uint64_t> numbers = make_keys<std::uint64_t>(Distribution::kUniform, kCount, 57);
  for (std::size_t i = 0; i < kCount; ++i) {
    if (i % (kCount / 4096) != 0) numbers[i] = (std::uint64_t{77} << 56) + (numbers[i] >> 24);
  }
  EXPECT_EQ(argsorted(numbers), stable_order(numbers, std::less<>()));
}

TEST(Argsort, FloatsAreInTotalOrder) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers = {nan, 1.5, 0.0, -0.0, -infinity, std::copysign(nan, -1.0), infinity, -1.5};
  EXPECT_EQ(argsorted(numbers), (std::vector<std::int64_t>{5, 4, 7, 3, 2, 1, 6, 0}));
}

TEST(Argsort, RefusesWhatDoesNotSuit) {
  const std::vector<float> numbers(3);
  std::vector<std::int64_t> indexes(2);
  EXPECT_THROW(argsort<float>(numbers, indexes), Error);
  std::vector<std::int64_t> both(3);
  EXPECT_THROW(argsort<std::int64_t>(both, both), Error);
  EXPECT_THROW(argsort_bytes(std::as_bytes(std::span(both)), both, FieldKind::kSigned, 3, {}), Error);
}

TEST(Argsort, EndsWhenItIsStopped) {
  const std::vector<std::uint64_t> numbers = make_keys<std::uint64_t>(Distribution::kUniform, 100'000, 57);
  std::vector<std::int64_t> indexes(numbers.size());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(argsort<std::uint64_t>(numbers, indexes, {.descending = false, .threads = 0, .stop = stop.get_token()}),
               Stopped);
}

}  // namespace
}  // namespace sortie
