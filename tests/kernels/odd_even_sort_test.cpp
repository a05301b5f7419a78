#include "kernels/odd_even_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/number_sort_checks.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kOddEvenSortSeed = 51;
constexpr std::uint64_t kOddEvenSortTile = kOddEvenListMultiple;
constexpr std::uint64_t kOddEvenSortSizes[] = {0,
                                               1,
                                               2,
                                               3,
                                               31,
                                               kOddEvenSortTile / 2,
                                               kOddEvenSortTile / 2 + 1,
                                               kOddEvenSortTile - 1,
                                               kOddEvenSortTile,
                                               kOddEvenSortTile + 1,
                                               2 * kOddEvenSortTile,
                                               3 * kOddEvenSortTile / 2,
                                               3 * kOddEvenSortTile + 5,
                                               17 * kOddEvenSortTile + 11};
constexpr std::uint64_t kOneList = ~std::uint64_t{0};

/// Sorts in place and does not use the alternate arrays.
struct OddEvenSorter {
  static constexpr bool kTakesWideValues = false;

  static std::uint64_t scratch_bytes(std::uint64_t count) { return odd_even_scratch_bytes(count, kOneList); }
  template <class Key>
  static void keys(Key* keys, Key*, std::uint64_t count, SortOrder order, void* scratch, cudaStream_t stream) {
    odd_even_sort_keys(keys, count, kOneList, order, scratch, stream);
  }
  template <class Key>
  static void pairs(Key* keys, Key*, std::uint32_t* values, std::uint32_t*, std::uint64_t count, SortOrder order,
                    void* scratch, cudaStream_t stream) {
    odd_even_sort_pairs(keys, values, count, kOneList, order, scratch, stream);
  }
};

template <class Number>
class OddEvenNumbersGpu : public testing::Test {};
TYPED_TEST_SUITE(OddEvenNumbersGpu, NumberTypes);

TYPED_TEST(OddEvenNumbersGpu, AgreeWithStableSortOnAllDistributionsAndLengths) {
  SORTIE_REQUIRE_GPU();
  expect_all_numbers_sorted<OddEvenSorter, TypeParam>(kOddEvenSortSizes, kOddEvenSortSeed);
}

TEST(OddEvenSortGpu, ListsAreSortedEachByItself) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t list_items : {kOddEvenSortTile, 3 * kOddEvenSortTile}) {
    for (const std::uint64_t size : {3 * kOddEvenSortTile - 1, 3 * kOddEvenSortTile, 10 * kOddEvenSortTile + 700}) {
      SCOPED_TRACE(std::to_string(size) + " items in lists of " + std::to_string(list_items));
      const CudaStream stream;
      auto keys = make_keys<std::uint64_t>(Distribution::kUniform, size, kOddEvenSortSeed);
      const DeviceArray<std::uint64_t> array(keys, stream);
      const DeviceArray<std::byte> scratch(odd_even_scratch_bytes(size, list_items), stream);
      odd_even_sort_keys(array.data(), size, list_items, scratch.data(), stream.handle());
      for (std::uint64_t begin = 0; begin < size; begin += list_items) {
        std::sort(keys.begin() + begin, keys.begin() + std::min(begin + list_items, size));
      }
      EXPECT_EQ(array.download(), keys);
    }
  }
}

/// Enough items for phases across blocks, and few enough for a race checker.
TEST(OddEvenSortGpu, FewBlocksExchangeAcrossTheirBorders) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t size = 2 * kOddEvenSortTile + 300;
  expect_all_forms_sorted<OddEvenSorter>(make_keys<std::uint32_t>(Distribution::kReversed, size, kOddEvenSortSeed));
}

}  // namespace
}  // namespace sortie::kernels
