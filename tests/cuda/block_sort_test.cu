// Sorts within a warp and within a block, called by kernels of the tests' own, against std::stable_sort.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <sortie/cuda/block_sort.cuh>
#include <sortie/cuda/warp_sort.cuh>

#include "kernels/device_array.hpp"
#include "kernels/special_numbers.hpp"
#include "support/distributions.hpp"
#include "support/require_gpu.hpp"

namespace sortie::cuda {
namespace {

constexpr std::uint64_t kBlockSortSeed = 97;
using Position = std::uint32_t;

/// What a kernel does with `kCapacity` keys and their positions in memory: `Sort` says how.
template <class Sort>
__global__ void __launch_bounds__(Sort::kThreads)
    sort_in_block_kernel(typename Sort::Key* keys, Position* positions, unsigned count) {
  Sort::sort(keys, positions, count);
}

template <class Key, unsigned kItems>
__device__ void load_items(const Key* array, Key (&items)[kItems]) {
  for (unsigned k = 0; k < kItems; ++k) items[k] = array[threadIdx.x * kItems + k];
}
template <class Key, unsigned kItems>
__device__ void store_items(const Key (&items)[kItems], Key* array) {
  for (unsigned k = 0; k < kItems; ++k) array[threadIdx.x * kItems + k] = items[k];
}

/// Two warps, whose teams of lanes sort lists of their own: first keys alone, which must give the same keys.
template <class KeyType, unsigned kLanes, unsigned kItems, class BeforeType = Less>
struct WarpSort {
  using Key = KeyType;
  using Before = BeforeType;
  static constexpr unsigned kThreads = 64;
  static constexpr unsigned kCapacity = kThreads * kItems;
  static constexpr unsigned kListItems = kLanes * kItems;
  static constexpr bool kIsStable = false;
  static constexpr bool kTakesCounts = false;

  __device__ static void sort(Key* keys, Position* positions, unsigned /*count*/) {
    Key pair_keys[kItems];
    Key bare_keys[kItems];
    Position values[kItems];
    load_items(keys, pair_keys);
    load_items(keys, bare_keys);
    load_items(positions, values);
    warp_sort<kLanes>(bare_keys, Before());
    warp_sort_pairs<kLanes>(pair_keys, values, Before());
    store_items(bare_keys, keys);
    store_items(values, positions);
  }
};

template <class KeyType, unsigned kThreadCount, unsigned kItems, class BeforeType = Less>
struct BitonicInBlock {
  using Key = KeyType;
  using Before = BeforeType;
  static constexpr unsigned kThreads = kThreadCount;
  static constexpr unsigned kCapacity = kThreads * kItems;
  static constexpr unsigned kListItems = kCapacity;
  static constexpr bool kIsStable = false;
  static constexpr bool kTakesCounts = false;

  __device__ static void sort(Key* keys, Position* positions, unsigned /*count*/) {
    using Sort = BlockBitonicSort<Key, kThreads, kItems>;
    using PairSort = BlockBitonicSort<Key, kThreads, kItems, Position>;
    __shared__ typename Sort::Storage storage;
    __shared__ typename PairSort::Storage pair_storage;
    Key pair_keys[kItems];
    Key bare_keys[kItems];
    Position values[kItems];
    load_items(keys, pair_keys);
    load_items(keys, bare_keys);
    load_items(positions, values);
    Sort(storage).sort(bare_keys, Before());
    Sort(storage).sort(bare_keys, Before());  // again, with nothing in between
    PairSort(pair_storage).sort(pair_keys, values, Before());
    store_items(bare_keys, keys);
    store_items(values, positions);
  }
};

template <class KeyType, unsigned kThreadCount, unsigned kItems, class BeforeType = Less>
struct MergeInBlock {
  using Key = KeyType;
  using Before = BeforeType;
  static constexpr unsigned kThreads = kThreadCount;
  static constexpr unsigned kCapacity = kThreads * kItems;
  static constexpr unsigned kListItems = kCapacity;
  static constexpr bool kIsStable = true;
  static constexpr bool kTakesCounts = true;

  __device__ static void sort(Key* keys, Position* positions, unsigned count) {
    using Sort = BlockMergeSort<Key, kThreads, kItems>;
    using PairSort = BlockMergeSort<Key, kThreads, kItems, Position>;
    __shared__ typename Sort::Storage storage;
    __shared__ typename PairSort::Storage pair_storage;
    Key pair_keys[kItems];
    Key bare_keys[kItems];
    Position values[kItems];
    load_items(keys, pair_keys);
    load_items(keys, bare_keys);
    load_items(positions, values);
    Sort(storage).sort(bare_keys, Before(), count);
    Sort(storage).sort(bare_keys, Before(), count);  // again, with nothing in between
    PairSort(pair_storage).sort(pair_keys, values, Before(), count);
    store_items(bare_keys, keys);
    store_items(values, positions);
  }
};

template <class KeyType, unsigned kThreadCount, class BeforeType = Less>
struct OddEvenInBlock {
  using Key = KeyType;
  using Before = BeforeType;
  static constexpr unsigned kThreads = kThreadCount;
  static constexpr unsigned kCapacity = 2 * kThreads;
  static constexpr unsigned kListItems = kCapacity;
  static constexpr bool kIsStable = true;
  static constexpr bool kTakesCounts = true;

  __device__ static void sort(Key* keys, Position* positions, unsigned count) {
    __shared__ Key bare_keys[kCapacity];
    __shared__ Key pair_keys[kCapacity];
    __shared__ Position values[kCapacity];
    for (unsigned i = threadIdx.x; i < count; i += kThreads) {
      bare_keys[i] = pair_keys[i] = keys[i];
      values[i] = positions[i];
    }
    const bool moved = block_odd_even_sort(bare_keys, count, Before());
    const bool moves_again = block_odd_even_sort(bare_keys, count, Before());
    const bool pairs_moved = block_odd_even_sort_pairs(pair_keys, values, count, Before());
    if (moves_again || moved != pairs_moved) return;
    for (unsigned i = threadIdx.x; i < count; i += kThreads) {
      keys[i] = bare_keys[i];
      positions[i] = values[i];
    }
  }
};

/// A key of three words, which neither compiler nor library knows how to order: by the last one.
struct WideKey {
  std::uint32_t words[3];
};
struct LastWordFirst {
  SORTIE_HOST_DEVICE bool operator()(const WideKey& a, const WideKey& b) const { return a.words[2] < b.words[2]; }
};

template <class Key>
std::vector<Key> block_keys(Distribution distribution, unsigned count) {
  return kernels::numbers_with_specials<Key>(distribution, count, kBlockSortSeed);
}
template <>
std::vector<std::uint8_t> block_keys(Distribution distribution, unsigned count) {
  return make_keys<std::uint8_t>(distribution, count, kBlockSortSeed);
}
template <>
std::vector<WideKey> block_keys(Distribution distribution, unsigned count) {
  std::vector<WideKey> keys;
  std::uint32_t i = 0;
  for (const auto word : make_keys<std::uint32_t>(distribution, count, kBlockSortSeed)) {
    keys.push_back({{i++, ~word, word}});
  }
  return keys;
}

template <class Key>
bool same_bits(const Key& a, const Key& b) {
  return std::memcmp(&a, &b, sizeof(Key)) == 0;
}

/// The first `count` of the sort's items are compared.
template <class Sort>
void expect_sorted_in_block(Distribution distribution, unsigned count) {
  SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(count) + " items, seed " +
               std::to_string(kBlockSortSeed));
  using Key = typename Sort::Key;
  const typename Sort::Before before;
  const std::vector<Key> keys = block_keys<Key>(distribution, Sort::kCapacity);
  std::vector<Position> positions(Sort::kCapacity);
  for (unsigned i = 0; i < Sort::kCapacity; ++i) positions[i] = i;
  std::vector<Position> expected = positions;
  for (unsigned begin = 0; begin < count; begin += Sort::kListItems) {
    const auto first = expected.begin() + begin;
    std::stable_sort(first, first + std::min(Sort::kListItems, count - begin),
                     [&](Position a, Position b) { return before(keys[a], keys[b]); });
  }
  const CudaStream stream;
  const DeviceArray<Key> device_keys(keys, stream);
  const DeviceArray<Position> device_positions(positions, stream);
  sort_in_block_kernel<Sort>
      <<<1, Sort::kThreads, 0, stream.handle()>>>(device_keys.data(), device_positions.data(), count);
  check_cuda(cudaGetLastError(), "a kernel that sorts in a block");
  const std::vector<Key> sorted_keys = device_keys.download();
  const std::vector<Position> sorted_positions = device_positions.download();
  std::vector<bool> seen(Sort::kCapacity);
  for (unsigned i = 0; i < count; ++i) {
    const Position position = sorted_positions[i];
    ASSERT_LT(position, Sort::kCapacity) << "item " << i;
    ASSERT_FALSE(seen[position]) << "position " << position << " is there twice";
    seen[position] = true;
    ASSERT_EQ(position / Sort::kListItems, i / Sort::kListItems) << "item " << i << " left its list";
    if (Sort::kIsStable) {
      ASSERT_EQ(position, expected[i]) << "item " << i;
      ASSERT_TRUE(same_bits(sorted_keys[i], keys[expected[i]])) << "item " << i;
    } else {
      const auto ties = [&](const Key& a, const Key& b) { return !before(a, b) && !before(b, a); };
      ASSERT_TRUE(ties(keys[position], keys[expected[i]])) << "item " << i;
      ASSERT_TRUE(ties(sorted_keys[i], keys[expected[i]])) << "item " << i;
    }
  }
}

template <class Sort>
void expect_all_sorted_in_block() {
  SORTIE_REQUIRE_GPU();
  for (const Distribution distribution : kAllDistributions) {
    expect_sorted_in_block<Sort>(distribution, Sort::kCapacity);
    if constexpr (Sort::kTakesCounts) {
      for (const unsigned count :
           {0U, 1U, 2U, 31U, Sort::kCapacity / 2, Sort::kCapacity / 2 + 1, Sort::kCapacity - 1}) {
        expect_sorted_in_block<Sort>(distribution, count);
      }
    }
  }
}

template <class Sort>
class SortInBlockGpu : public testing::Test {};

using SortsInBlock = testing::Types<
    WarpSort<std::uint32_t, 32, 1>, WarpSort<std::uint32_t, 32, 4>, WarpSort<std::int32_t, 8, 3, Greater>,
    WarpSort<std::uint64_t, 4, 6>, WarpSort<std::int64_t, 1, 8>, WarpSort<std::uint8_t, 16, 2>,
    WarpSort<float, 32, 2, TotalOrder>, WarpSort<double, 2, 12, TotalOrder>, WarpSort<WideKey, 32, 3, LastWordFirst>,
    BitonicInBlock<std::uint32_t, 32, 4>, BitonicInBlock<std::uint32_t, 512, 4>, BitonicInBlock<std::uint32_t, 1024, 1>,
    BitonicInBlock<std::int64_t, 128, 3, Greater>, BitonicInBlock<double, 256, 2, TotalOrder>,
    BitonicInBlock<std::uint8_t, 64, 6>, BitonicInBlock<WideKey, 64, 2, LastWordFirst>,
    MergeInBlock<std::uint32_t, 32, 1>, MergeInBlock<std::uint32_t, 128, 7>, MergeInBlock<std::uint32_t, 1024, 3>,
    MergeInBlock<std::int64_t, 256, 5, Greater>, MergeInBlock<float, 64, 4, TotalOrder>,
    MergeInBlock<std::uint8_t, 64, 9>, MergeInBlock<WideKey, 64, 5, LastWordFirst>, OddEvenInBlock<std::uint32_t, 32>,
    OddEvenInBlock<std::int64_t, 256, Greater>, OddEvenInBlock<double, 1024, TotalOrder>,
    OddEvenInBlock<WideKey, 64, LastWordFirst>>;
TYPED_TEST_SUITE(SortInBlockGpu, SortsInBlock);

TYPED_TEST(SortInBlockGpu, AgreesWithStableSortOnAllDistributions) { expect_all_sorted_in_block<TypeParam>(); }

}  // namespace
}  // namespace sortie::cuda
