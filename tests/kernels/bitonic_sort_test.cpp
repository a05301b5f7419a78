#include "kernels/bitonic_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/bitonic/bitonic_plan.hpp"
#include "kernels/device_array.hpp"
#include "kernels/special_numbers.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kBitonicSortSeed = 30;
constexpr std::uint64_t kBitonicSortTile = kBitonicTile;
constexpr std::uint64_t kBitonicSortSizes[] = {0,
                                               1,
                                               2,
                                               3,
                                               31,
                                               128,
                                               129,
                                               512,
                                               513,
                                               1000,
                                               1024,
                                               1025,
                                               kBitonicSortTile - 1,
                                               kBitonicSortTile,
                                               kBitonicSortTile + 1,
                                               2 * kBitonicSortTile,
                                               4 * kBitonicSortTile,
                                               4 * kBitonicSortTile + 1,
                                               3 * kBitonicSortTile + 5,
                                               37 * kBitonicSortTile + 11};

template <class Key>
void expect_keys_agree(const std::vector<Key>& keys, SortOrder order) {
  const CudaStream stream;
  const DeviceArray<Key> array(keys, stream);
  bitonic_sort_keys(array.data(), keys.size(), order, stream.handle());
  expect_same_bits(array.download(), stable_sorted(keys, order).numbers);
}

/// The values are the keys' positions.
template <class Value, class Key>
void expect_pairs_agree(const std::vector<Key>& keys, SortOrder order) {
  const CudaStream stream;
  const DeviceArray<Key> array(keys, stream);
  const DeviceArray<Value> values(first_positions<Value>(keys.size()), stream);
  bitonic_sort_pairs(array.data(), values.data(), keys.size(), order, stream.handle());
  const StableSorted<Key> sorted = stable_sorted(keys, order);
  expect_same_bits(array.download(), sorted.numbers);
  EXPECT_TRUE(std::ranges::equal(values.download(), sorted.positions));
}

template <class Key>
void expect_all_agree(const std::vector<Key>& keys, SortOrder order) {
  expect_keys_agree(keys, order);
  expect_pairs_agree<std::uint32_t>(keys, order);
  expect_pairs_agree<std::uint64_t>(keys, order);
}

template <class Number>
class BitonicSortGpu : public testing::Test {};
TYPED_TEST_SUITE(BitonicSortGpu, NumberTypes);

TYPED_TEST(BitonicSortGpu, AgreesWithStableSortAtAllLengths) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : kBitonicSortSizes) {
    const auto numbers = numbers_with_specials<TypeParam>(Distribution::kUniform, size, kBitonicSortSeed);
    for (const SortOrder order : kBothOrders) {
      SCOPED_TRACE(std::to_string(size) + " items, " + to_string(order) + ", seed " + std::to_string(kBitonicSortSeed));
      expect_all_agree(numbers, order);
    }
  }
}

TYPED_TEST(BitonicSortGpu, AgreesWithStableSortOnAllDistributions) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t size : {100, 3000, 20'000}) {
      const auto numbers = numbers_with_specials<TypeParam>(distribution, size, kBitonicSortSeed);
      for (const SortOrder order : kBothOrders) {
        SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(size) + " items, " + to_string(order) + ", seed " +
                     std::to_string(kBitonicSortSeed));
        expect_all_agree(numbers, order);
      }
    }
  }
}

TYPED_TEST(BitonicSortGpu, TheLastItemsInOrderAreNotTakenForPadding) {
  SORTIE_REQUIRE_GPU();
  for (const SortOrder order : kBothOrders) {
    const auto last = from_codes<TypeParam>({~CodeOf<TypeParam>{0}}, order)[0];
    for (const std::uint64_t size : {100, 700, 5000}) {
      expect_all_agree(std::vector<TypeParam>(size, last), order);
    }
  }
}

TEST(BitonicPairsGpu, EqualKeysAreOrderedByValueInEitherDirection) {
  SORTIE_REQUIRE_GPU();
  for (const SortOrder order : kBothOrders) {
    for (const std::uint64_t size : {50, 5000, 30'000}) {
      const CudaStream stream;
      const auto keys = make_keys<std::uint32_t>(Distribution::kFewValued, size, kBitonicSortSeed);
      const auto values = make_keys<std::uint32_t>(Distribution::kUniform, size, kBitonicSortSeed + 1);
      std::vector<std::uint64_t> expected(size);
      for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint32_t code = order == SortOrder::kAscending ? keys[i] : ~keys[i];
        expected[i] = std::uint64_t{code} << 32 | values[i];
      }
      std::ranges::sort(expected);
      const DeviceArray<std::uint32_t> array(keys, stream);
      const DeviceArray<std::uint32_t> array_values(values, stream);
      bitonic_sort_pairs(array.data(), array_values.data(), size, order, stream.handle());
      const auto sorted_values = array_values.download();
      EXPECT_TRUE(std::ranges::equal(sorted_values, expected, {}, {},
                                     [](std::uint64_t pair) { return static_cast<std::uint32_t>(pair); }));
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
