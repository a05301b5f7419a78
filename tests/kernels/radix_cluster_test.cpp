// Radix sorts of few items, which one launch does.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "kernels/radix_numbers.hpp"
#include "kernels/special_numbers.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kRadixClusterSeed = 31;
/// Capacities of blocks and clusters (radix_cluster_launch.cuh).
constexpr std::uint64_t kCapacities[] = {1024, 2048, 4096, 8192, 16384};

template <class Number>
class RadixClusterGpu : public testing::Test {
 public:
  static void expect_all_sorts_agree(const std::vector<Number>& numbers) {
    for (const SortOrder order : kBothOrders) {
      SCOPED_TRACE(std::to_string(numbers.size()) + " items, " + to_string(order));
      expect_numbers_sorted<Number>(numbers, order);
      expect_pairs_sorted<Number, std::uint32_t>(numbers, order);
      expect_pairs_sorted<Number, std::uint64_t>(numbers, order);
    }
  }
};

TYPED_TEST_SUITE(RadixClusterGpu, NumberTypes);

TYPED_TEST(RadixClusterGpu, SortsAsManyItemsAsItsBlocksHold) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t capacity : kCapacities) {
    for (const std::uint64_t size : {capacity - 1, capacity, capacity + 1}) {
      TestFixture::expect_all_sorts_agree(
          numbers_with_specials<TypeParam>(Distribution::kUniform, size, kRadixClusterSeed));
    }
  }
}

TYPED_TEST(RadixClusterGpu, AgreesWithStableSortOnAllDistributions) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    SCOPED_TRACE(to_string(distribution) + ", seed " + std::to_string(kRadixClusterSeed));
    for (const std::uint64_t size : {2, 777, 12'345}) {
      TestFixture::expect_all_sorts_agree(numbers_with_specials<TypeParam>(distribution, size, kRadixClusterSeed));
    }
  }
}

/// So many uniform keys in a row agree in all but their lowest digits, at several places.
TYPED_TEST(RadixClusterGpu, PutsFewKeysThatAgreeInTheirLeadingDigitsInOrder) {
  SORTIE_REQUIRE_GPU();
  using Code = CodeOf<TypeParam>;
  std::mt19937_64 random(kRadixClusterSeed);
  for (const std::uint64_t size : {900, 3001, 16'000, 32'000}) {
    for (const std::uint64_t alike : {2, 3, 5}) {
      std::vector<Code> codes(size);
      for (Code& code : codes) code = static_cast<Code>(random());
      for (std::uint64_t i = 0; i + 400 < size; i += 397) {
        for (std::uint64_t k = 1; k < alike; ++k) codes[i + 40 * k] = codes[i] ^ static_cast<Code>(random() & 0xffff);
      }
      for (const SortOrder order : kBothOrders) {
        TestFixture::expect_all_sorts_agree(from_codes<TypeParam>(codes, order));
      }
    }
  }
}

/// All digits vary, and the leading ones leave many items untold: there must be a second sort by all digits.
TYPED_TEST(RadixClusterGpu, SortsKeysThatAgreeInTheirLeadingDigits) {
  SORTIE_REQUIRE_GPU();
  using Code = CodeOf<TypeParam>;
  std::mt19937_64 random(kRadixClusterSeed);
  for (const std::uint64_t size : {900, 10'000}) {
    std::vector<Code> codes(size);
    constexpr unsigned kHalf = 4 * sizeof(Code);
    for (Code& code : codes) {
      const Code high = random() % 2 == 0 ? ~Code{0} : Code{0};
      code = static_cast<Code>(high << kHalf | (static_cast<Code>(random()) & (~Code{0} >> kHalf)));
    }
    for (const SortOrder order : kBothOrders) TestFixture::expect_all_sorts_agree(from_codes<TypeParam>(codes, order));
  }
}

TYPED_TEST(RadixClusterGpu, LeavesSortedItemsAsTheyAre) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : {500, 5000}) {
    const auto numbers = numbers_with_specials<TypeParam>(Distribution::kUniform, size, kRadixClusterSeed);
    for (const SortOrder order : kBothOrders)
      TestFixture::expect_all_sorts_agree(stable_sorted(numbers, order).numbers);
  }
}

}  // namespace
}  // namespace sortie::kernels
