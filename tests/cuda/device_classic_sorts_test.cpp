#include <sortie/cuda/device_classic_sorts.hpp>

#include <gtest/gtest.h>

#include "cuda/sort_checks.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

struct SplitRadixSorter {
  static std::size_t scratch_bytes(KeyType type, std::size_t value_bytes, std::uint64_t count) {
    return split_radix_sort_scratch_bytes(type, value_bytes, count);
  }
  static Status sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch, cudaStream_t stream) {
    return split_radix_sort(keys, values, count, order, scratch, stream);
  }
};

/// All items are one list.
struct OddEvenSorter {
  static std::size_t scratch_bytes(KeyType /*type*/, std::size_t /*value_bytes*/, std::uint64_t count) {
    return odd_even_sort_scratch_bytes(count, count + 1);
  }
  static Status sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch, cudaStream_t stream) {
    return odd_even_sort(keys, values, count, count + 1, order, scratch, stream);
  }
};

class CudaClassicSortsGpu : public testing::TestWithParam<KeyType> {};

INSTANTIATE_TEST_SUITE_P(WideTypes, CudaClassicSortsGpu, testing::ValuesIn(kWideKeyTypes),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(CudaClassicSortsGpu, SplitRadixSortAgreesWithStableSort) {
  SORTIE_REQUIRE_GPU();
  expect_all_distributions_sorted<SplitRadixSorter>(GetParam(), {0, 4, 8, 16}, {0, 1, 2, 1023, 1025, 50'021});
}

TEST_P(CudaClassicSortsGpu, OddEvenSortAgreesWithStableSort) {
  SORTIE_REQUIRE_GPU();
  expect_all_distributions_sorted<OddEvenSorter>(GetParam(), {0, 4}, {0, 1, 2, 1023, 1025, 5003});
}

TEST_P(CudaClassicSortsGpu, OddEvenSortSortsEachListByItself) {
  SORTIE_REQUIRE_GPU();
  const CudaStream stream;
  constexpr std::uint64_t kCount = 5000;
  constexpr std::uint64_t kList = 2 * kOddEvenListItems;
  const ItemArray keys = make_key_items(GetParam(), Distribution::kUniform, kCount, 93);
  const DeviceItems items(keys, GetParam(), {}, stream);
  StreamAllocator allocator;
  expect_ok(odd_even_sort(items.keys(), {}, kCount, kList, Order::kAscending, allocator, stream.handle()));
  Bytes expected;
  for (std::uint64_t begin = 0; begin < kCount; begin += kList) {
    const std::uint64_t end = std::min(begin + kList, kCount);
    const ItemArray list{keys.size, Bytes(keys.at(begin), keys.at(end))};
    const ItemArray sorted = gathered(list, stable_order(list, GetParam(), Order::kAscending));
    expected.insert(expected.end(), sorted.bytes.begin(), sorted.bytes.end());
  }
  expect_same_items({keys.size, expected}, items.keys_memory.download(), "keys");
}

/// Values are positions, so the result of the bitonic sort is that of a stable sort.
template <class Position>
void expect_sorted_by_network(KeyType type, std::uint64_t count, Order order, Distribution distribution) {
  SCOPED_TRACE(std::to_string(count) + " items, " + name_of(order) + ", " + to_string(distribution));
  const CudaStream stream;
  const ItemArray keys = make_key_items(type, distribution, count, 95);
  std::vector<Position> positions(count);
  for (std::uint64_t i = 0; i < count; ++i) positions[i] = static_cast<Position>(i);
  const DeviceArray<std::byte> keys_memory(keys.bytes, stream);
  const DeviceArray<Position> values(positions, stream);
  expect_ok(bitonic_sort(Keys(keys_memory.data(), type), values.data(), count, order, stream.handle()));
  const std::vector<std::uint64_t> expected = stable_order(keys, type, order);
  expect_same_items(gathered(keys, expected), keys_memory.download(), "keys");
  EXPECT_TRUE(std::ranges::equal(values.download(), expected));
  const DeviceArray<std::byte> bare(keys.bytes, stream);
  expect_ok(bitonic_sort(Keys(bare.data(), type), Values(), count, order, stream.handle()));
  expect_same_items(gathered(keys, expected), bare.download(), "bare keys");
}

TEST_P(CudaClassicSortsGpu, BitonicSortOrdersEqualKeysByValue) {
  SORTIE_REQUIRE_GPU();
  for (const std::uint64_t count : {0, 1, 2, 1023, 1025, 8192, 8193, 16'384, 16'385, 40'009}) {
    for (const Order order : kBothOrders) {
      for (const Distribution distribution : {Distribution::kUniform, Distribution::kFewValued}) {
        expect_sorted_by_network<std::uint32_t>(GetParam(), count, order, distribution);
        expect_sorted_by_network<std::uint64_t>(GetParam(), count, order, distribution);
      }
    }
  }
}

}  // namespace
}  // namespace sortie::cuda
