#include "kernels/odd_even_sort.hpp"

#include <gtest/gtest.h>

#include "kernels/sort_checks.hpp"
#include "kernels/special_numbers.hpp"
#include "support/require_gpu.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSeed = 51;
constexpr std::uint64_t kTile = kOddEvenListMultiple;
constexpr std::uint64_t kSizes[] = {0,
                                    1,
                                    2,
                                    3,
                                    31,
                                    kTile / 2,
                                    kTile / 2 + 1,
                                    kTile - 1,
                                    kTile,
                                    kTile + 1,
                                    2 * kTile,
                                    3 * kTile / 2,
                                    3 * kTile + 5,
                                    17 * kTile + 11};
constexpr std::uint64_t kOneList = ~std::uint64_t{0};

/// Sorts in place: the alternate array is not used.
auto sort_keys(std::uint64_t count, std::uint64_t list_items) {
  return [=](auto* keys, auto*, void* scratch, cudaStream_t stream) {
    odd_even_sort_keys(keys, count, list_items, scratch, stream);
  };
}

TEST(OddEvenSortGpu, AgreesWithStableSortOnAllDistributionsAndLengths) {
  SORTIE_REQUIRE_GPU();
  for_all_keys(kSizes, kSeed, [](const auto& narrow, const auto& wide) {
    const std::uint64_t size = wide.size();
    const std::uint64_t scratch_bytes = odd_even_scratch_bytes(size, kOneList);
    expect_keys_sorted(narrow, scratch_bytes, sort_keys(size, kOneList));
    expect_keys_sorted(wide, scratch_bytes, sort_keys(size, kOneList));
    expect_floats_sorted(narrow, scratch_bytes, sort_keys(size, kOneList));
    expect_pairs_sorted(wide, scratch_bytes,
                        [=](std::uint64_t* keys, std::uint32_t* values, std::uint64_t*, std::uint32_t*, void* scratch,
                            cudaStream_t stream) {
                          odd_even_sort_pairs({keys, values}, size, kOneList, scratch, stream);
                        });
  });
}

TEST(OddEvenSortGpu, ListsAreSortedEachByItself) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t list_items : {kTile, 3 * kTile}) {
    for (const std::uint64_t size : {3 * kTile - 1, 3 * kTile, 10 * kTile + 700}) {
      SCOPED_TRACE(std::to_string(size) + " items in lists of " + std::to_string(list_items));
      const CudaStream stream;
      auto keys = make_keys<std::uint64_t>(Distribution::kUniform, size, kSeed);
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

template <class Number>
class OddEvenNumbersGpu : public testing::Test {};
TYPED_TEST_SUITE(OddEvenNumbersGpu, NumberTypes);

/// With positions as values.
template <class Number>
void expect_all_agree(const std::vector<Number>& numbers, SortOrder order) {
  const CudaStream stream;
  const std::uint64_t size = numbers.size();
  std::vector<std::uint32_t> positions(size);
  std::iota(positions.begin(), positions.end(), 0);
  const DeviceArray<Number> alone(numbers, stream);
  const DeviceArray<Number> keys(numbers, stream);
  const DeviceArray<std::uint32_t> values(positions, stream);
  const DeviceArray<std::byte> scratch(odd_even_scratch_bytes(size, size), stream);
  odd_even_sort_keys(alone.data(), size, size, order, scratch.data(), stream.handle());
  odd_even_sort_pairs(keys.data(), values.data(), size, size, order, scratch.data(), stream.handle());
  const StableSorted<Number> sorted = stable_sorted(numbers, order);
  expect_same_bits(alone.download(), sorted.numbers);
  expect_same_bits(keys.download(), sorted.numbers);
  EXPECT_TRUE(std::ranges::equal(values.download(), sorted.positions));
}

TYPED_TEST(OddEvenNumbersGpu, AgreeWithStableSortInBothDirections) {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t size : {std::uint64_t{2}, std::uint64_t{700}, 3 * kTile + 5}) {
      const auto numbers = numbers_with_specials<TypeParam>(distribution, size, kSeed);
      for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
        SCOPED_TRACE(describe(distribution, size, kSeed) + ", " + to_string(order));
        expect_all_agree(numbers, order);
      }
    }
  }
}

/// Enough for phases across blocks, and few enough for a race checker.
TEST(OddEvenSortGpu, FewBlocksExchangeAcrossTheirBorders) {
  SORTIE_REQUIRE_GPU();
  const std::uint64_t size = 2 * kTile + 300;
  const auto keys = make_keys<std::uint32_t>(Distribution::kReversed, size, kSeed);
  expect_keys_sorted(keys, odd_even_scratch_bytes(size, kOneList), sort_keys(size, kOneList));
}

}  // namespace
}  // namespace sortie::kernels
