#include "engine/cpu/number_scatter.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace sortie {
namespace {

constexpr std::size_t kBuckets = 7;

template <class Scatter>
struct CodeOf;
template <template <class> class Scatter, class Code>
struct CodeOf<Scatter<Code>> {
  using Type = Code;
};

template <class Scatter>
class NumberScatter : public testing::Test {
 protected:
  using Code = typename CodeOf<Scatter>::Type;

  /// Scatters numbers in two shares to `target`, and counts how many there should be of each bucket.
  static std::vector<std::size_t> scatter(std::span<Code> target, std::size_t numbers_of_share) {
    std::mt19937_64 random(numbers_of_share);
    std::vector<Code> numbers(2 * numbers_of_share);
    for (Code& number : numbers) number = static_cast<Code>(random());
    std::vector<std::size_t> sizes[2] = {std::vector<std::size_t>(kBuckets), std::vector<std::size_t>(kBuckets)};
    for (std::size_t i = 0; i < numbers.size(); ++i) ++sizes[i / numbers_of_share][numbers[i] % kBuckets];
    std::vector<std::size_t> begins[2] = {std::vector<std::size_t>(kBuckets), std::vector<std::size_t>(kBuckets)};
    std::size_t next = 0;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
      for (const int share : {0, 1}) {
        begins[share][bucket] = next;
        next += sizes[share][bucket];
      }
    }
    for (const int share : {1, 0}) {  // in the other order: none may write over the other's
      Scatter scatter(target, begins[share]);
      for (const Code number : std::span(numbers).subspan(share * numbers_of_share, numbers_of_share)) {
        scatter.append(number % kBuckets, number);
      }
      scatter.finish();
    }
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) sizes[0][bucket] += sizes[1][bucket];
    return sizes[0];
  }
};

using Scatters = testing::Types<DirectScatter<std::uint32_t>, DirectScatter<std::uint64_t>,
                                StreamedScatter<std::uint32_t>, StreamedScatter<std::uint64_t>>;
TYPED_TEST_SUITE(NumberScatter, Scatters);

TYPED_TEST(NumberScatter, PutEveryNumberIntoItsBucketWhereverTheTargetBegins) {
  using Number = typename TestFixture::Code;
  constexpr Number kUntouched = 0x5a5a5a5a;
  for (const std::size_t count : {1, 3, 20, 1000}) {
    for (std::size_t shift = 0; shift < 17; ++shift) {
      std::vector<Number> memory(2 * count + 40, kUntouched);
      const std::span<Number> target = std::span(memory).subspan(shift, 2 * count);
      const std::vector<std::size_t> sizes = this->scatter(target, count);
      std::size_t at = 0;
      for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
        for (std::size_t i = 0; i < sizes[bucket]; ++i)
          ASSERT_EQ(target[at++] % kBuckets, bucket) << count << ' ' << shift;
      }
      const auto is_untouched = [](Number number) { return number == kUntouched; };
      EXPECT_TRUE(std::ranges::all_of(std::span(memory).first(shift), is_untouched));
      EXPECT_TRUE(std::ranges::all_of(std::span(memory).subspan(shift + 2 * count), is_untouched));
    }
  }
}

// As in a mapped file that is cut short after its numbers have been counted.
TYPED_TEST(NumberScatter, StayWithinTheirTargetWhenThereAreMoreNumbersThanWereCounted) {
  using Number = typename TestFixture::Code;
  for (std::size_t shift = 0; shift < 17; ++shift) {
    std::vector<Number> memory(300, 7);
    const std::span<Number> target = std::span(memory).subspan(shift, 100);
    TypeParam scatter(target, std::vector<std::size_t>{0, 90});
    for (Number i = 0; i < 100; ++i) scatter.append(1, 1);
    scatter.finish();
    EXPECT_EQ(std::ranges::count(target, Number{1}), 10) << "the test shows nothing";
    EXPECT_EQ(std::ranges::count(memory, Number{7}), 290);
  }
}

}  // namespace
}  // namespace sortie
