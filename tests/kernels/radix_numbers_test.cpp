// Sorts of numbers of every type, in both directions, with and without values.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix_numbers.hpp"
#include "kernels/special_numbers.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kRadixNumbersSeed = 41;

template <class Number>
class RadixNumbersGpu : public testing::Test {
 public:
  /// Sorts keys alone, and with values of both sizes.
  static void expect_all_sorts_agree(const std::vector<Number>& numbers, SortOrder order) {
    expect_numbers_sorted<Number>(numbers, order);
    expect_pairs_sorted<Number, std::uint32_t>(numbers, order);
    expect_pairs_sorted<Number, std::uint64_t>(numbers, order);
  }
};

TYPED_TEST_SUITE(RadixNumbersGpu, NumberTypes);

TYPED_TEST(RadixNumbersGpu, AgreeWithStableSortOnAllDistributions) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    const std::vector<TypeParam> numbers = numbers_with_specials<TypeParam>(distribution, 100'003, kRadixNumbersSeed);
    for (const SortOrder order : kBothOrders) {
      SCOPED_TRACE(to_string(distribution) + ", " + to_string(order) + ", seed " + std::to_string(kRadixNumbersSeed));
      TestFixture::expect_all_sorts_agree(numbers, order);
    }
  }
}

TYPED_TEST(RadixNumbersGpu, AgreeWithStableSortAtAllLengths) {
  SORTIE_REQUIRE_GPU();
  for (const std::size_t value_bytes : {0, 4, 8}) {
    const RadixTuning tuning = radix_tuning(RadixShape::kLarge, sizeof(TypeParam), value_bytes);
    for (const std::uint64_t size : sizes_around(tuning.tile_items())) {
      const std::vector<TypeParam> numbers =
          numbers_with_specials<TypeParam>(Distribution::kUniform, size, kRadixNumbersSeed);
      for (const SortOrder order : kBothOrders) {
        SCOPED_TRACE(std::to_string(size) + " items, " + to_string(order) + ", seed " +
                     std::to_string(kRadixNumbersSeed));
        TestFixture::expect_all_sorts_agree(numbers, order);
      }
    }
  }
}

/// Numbers sorted in either direction take no pass or all of them.
TYPED_TEST(RadixNumbersGpu, SortedNumbersStayAsTheyAre) {
  SORTIE_REQUIRE_GPU();
  std::vector<TypeParam> numbers = numbers_with_specials<TypeParam>(Distribution::kUniform, 50'021, kRadixNumbersSeed);
  for (const SortOrder sorted_as : kBothOrders) {
    numbers = stable_sorted(numbers, sorted_as).numbers;
    for (const SortOrder order : kBothOrders) {
      SCOPED_TRACE(to_string(sorted_as) + " to " + to_string(order));
      TestFixture::expect_all_sorts_agree(numbers, order);
    }
  }
}

/// A single pass both encodes and decodes. The number of passes decides which arrays the result comes from.
TYPED_TEST(RadixNumbersGpu, AnyNumberOfDigitsMayVary) {
  SORTIE_REQUIRE_GPU();
  using Bits = CodeOf<TypeParam>;
  for (const std::uint64_t varying : {0xff00ULL, 0xff0000ffULL, 0x80ff00ff00ff0080ULL, 0xff00ffffULL, 0ULL}) {
    SCOPED_TRACE("bits that vary: " + std::to_string(varying));
    std::vector<Bits> bits = make_keys<Bits>(Distribution::kUniform, 30'000, kRadixNumbersSeed);
    for (Bits& x : bits) x = static_cast<Bits>((x & varying) | (0x5a5a5a5a5a5a5a5aULL & ~varying));
    for (const SortOrder order : kBothOrders) {
      TestFixture::expect_all_sorts_agree(from_bits<TypeParam>(bits), order);
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
