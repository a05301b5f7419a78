#include "kernels/bitonic_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/bitonic_plan.hpp"
#include "kernels/device_array.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSeed = 30;
constexpr std::uint64_t kTile = kBitonicTile;
constexpr std::uint64_t kSizes[] = {
    0,    1,    2,         3,     31,        128,       129,       512,           513,           1000,
    1024, 1025, kTile - 1, kTile, kTile + 1, 2 * kTile, 4 * kTile, 4 * kTile + 1, 3 * kTile + 5, 37 * kTile + 11};

template <class Key>
void expect_keys_sorted(std::vector<Key> keys) {
  const CudaStream stream;
  const DeviceArray<Key> array(keys, stream);
  bitonic_sort_keys(array.data(), keys.size(), stream.handle());
  std::ranges::sort(keys);
  EXPECT_EQ(array.download(), keys);
}

template <class Key, class Value>
void expect_pairs_sorted(const std::vector<Key>& keys) {
  const CudaStream stream;
  std::vector<Value> positions(keys.size());
  std::iota(positions.begin(), positions.end(), Value{0});
  const DeviceArray<Key> array(keys, stream);
  const DeviceArray<Value> values(positions, stream);
  bitonic_sort_pairs(array.data(), values.data(), keys.size(), stream.handle());
  std::ranges::stable_sort(positions, {}, [&](Value i) { return keys[i]; });
  EXPECT_EQ(values.download(), positions);
  std::vector<Key> sorted = keys;
  std::ranges::sort(sorted);
  EXPECT_EQ(array.download(), sorted);
}

TEST(BitonicSortGpu, AgreesWithStableSortOnAllDistributionsAndLengths) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t size : kSizes) {
      SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(size) + " items, seed " + std::to_string(kSeed));
      const auto narrow = make_keys<std::uint32_t>(distribution, size, kSeed);
      const auto wide = make_keys<std::uint64_t>(distribution, size, kSeed);
      expect_keys_sorted(narrow);
      expect_keys_sorted(wide);
      expect_pairs_sorted<std::uint32_t, std::uint32_t>(narrow);
      expect_pairs_sorted<std::uint64_t, std::uint32_t>(wide);
      expect_pairs_sorted<std::uint64_t, std::uint64_t>(wide);
    }
  }
}

TEST(BitonicSortGpu, TheLargestItemsAreNotTakenForPadding) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t size : {100, 700, 5000}) {
    expect_keys_sorted(std::vector<std::uint32_t>(size, ~std::uint32_t{0}));
    expect_pairs_sorted<std::uint64_t, std::uint32_t>(std::vector<std::uint64_t>(size, ~std::uint64_t{0}));
  }
}

}  // namespace
}  // namespace sortie::kernels
