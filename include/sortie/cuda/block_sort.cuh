// Sorts of some hundred or thousand items by one block, that a kernel can call: for tiny sorts inside a larger kernel,
// and for teaching.
//
//   using Sort = sortie::cuda::BlockMergeSort<std::uint32_t, 128, 7>;  // 128 threads with 7 keys each
//   __shared__ Sort::Storage storage;
//   std::uint32_t keys[7];                                             // thread t has items [7 * t, 7 * t + 7)
//   Sort(storage).sort(keys);                                          // and these of the sorted block afterwards
//
//   | sort                | items are in  | stable | comparisons of n items       | items a thread           |
//   |---------------------|---------------|--------|------------------------------|--------------------------|
//   | BlockBitonicSort    | registers     | no     | n log²n / 4                  | 1, 2, 4, ... or x 3      |
//   | BlockMergeSort      | registers     | yes    | n log n, + n x items / 2     | any; odd ones are faster |
//   | block_odd_even_sort | shared memory | yes    | n² / 2; n if they are sorted | up to 2                  |
//
// All threads of the block call together, as often as they like with one Storage. Blocks have one dimension, and a
// number of threads that is a power of two, at least 32. Where memory of a Storage has held something else, a barrier
// stands before the call; none is needed behind it. Keys and values are of any trivially copyable types.
// `before(x, y)` says whether key x comes strictly before key y; thread_sort.hpp has Less, Greater, and TotalOrder for
// floats, whose NaNs Less has no place for.
//
// The device-wide sorts use the same functions: the bitonic sort those of bitonic_steps.cuh, the merge sort
// thread_sort.hpp and merge_shares.hpp, the odd-even sort odd_even_sort_in_block(). Compute capability 7.0 and above,
// C++20.
#pragma once

#include <type_traits>

#include <sortie/cuda/bitonic_steps.cuh>
#include <sortie/cuda/merge_shares.hpp>
#include <sortie/cuda/thread_sort.hpp>
#include <sortie/cuda/warp_sort.cuh>

namespace sortie::cuda {

/// Items in memory, keys and values in an array each, so that threads beside each other use different banks.
template <class Item>
struct ItemView {
  Item* items;

  __device__ Item load(unsigned at) const { return items[at]; }
  __device__ void store(unsigned at, const Item& item) const { items[at] = item; }
  __device__ Item operator[](unsigned at) const { return load(at); }
  __device__ ItemView from(unsigned at) const { return {items + at}; }
};
template <class Key, class Value>
struct ItemView<KeyValue<Key, Value>> {
  Key* keys;
  Value* values;

  __device__ KeyValue<Key, Value> load(unsigned at) const { return {keys[at], values[at]}; }
  __device__ void store(unsigned at, const KeyValue<Key, Value>& item) const {
    keys[at] = item.key;
    values[at] = item.value;
  }
  __device__ KeyValue<Key, Value> operator[](unsigned at) const { return load(at); }
  __device__ ItemView from(unsigned at) const { return {keys + at, values + at}; }
};

/// Shared memory for kCount items.
template <class Item, unsigned kCount>
struct SharedItems {
  Item items[kCount];

  __device__ ItemView<Item> view() { return {items}; }
};
template <class Key, class Value, unsigned kCount>
struct SharedItems<KeyValue<Key, Value>, kCount> {
  Key keys[kCount];
  Value values[kCount];

  __device__ ItemView<KeyValue<Key, Value>> view() { return {keys, values}; }
};

/// A sort by a bitonic network, whose steps are the same whatever the keys are. To sort fewer items, fill the rest with
/// keys that come last. Shared memory: all items, for blocks of more than one warp. Batcher, "Sorting Networks and
/// their Applications", 1968.
template <class Key, unsigned kThreads, unsigned kItems, class Value = void>
class BlockBitonicSort {
  static_assert(kThreads >= 32 && kThreads <= 1024 && (kThreads & (kThreads - 1)) == 0,
                "a block has 32, 64, ... 1024 threads");
  static_assert(is_network_size(kItems), "a thread has 1, 2, 4, ... items, or three times that");

 public:
  using Item = ItemOf<Key, Value>;
  using Storage = SharedItems<Item, kThreads * kItems>;

  /// `storage` is in shared memory.
  __device__ explicit BlockBitonicSort(Storage& storage) : shared_(storage.view()) {}

  template <class Before = Less>
  __device__ void sort(Key (&keys)[kItems], const Before& before = {}) const {
    static_assert(std::is_void_v<Value>, "this sort has values: call sort(keys, values)");
    sort_team<kThreads>(keys, shared_, before);
  }

  /// Sorts by the keys alone: of pairs with equal keys any may come first.
  template <class Before = Less, class OwnValue = Value>
  __device__ void sort(Key (&keys)[kItems], OwnValue (&values)[kItems], const Before& before = {}) const {
    with_pairs(keys, values,
               [&](Item(&pairs)[kItems]) { sort_team<kThreads>(pairs, shared_, KeyOrder<Before>{before}); });
  }

 private:
  ItemView<Item> shared_;
};

/// A stable sort: each thread sorts its items in registers, and then all threads merge lists two by two in shared
/// memory, each as many items as it has. Shared memory: all items. Green, Odeh and Birk, "Merge Path", 2014; Satish,
/// Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009.
template <class Key, unsigned kThreads, unsigned kItems, class Value = void>
class BlockMergeSort {
  static_assert(kThreads >= 32 && kThreads <= 1024 && (kThreads & (kThreads - 1)) == 0,
                "a block has 32, 64, ... 1024 threads");

 public:
  using Item = ItemOf<Key, Value>;
  static constexpr unsigned kCapacity = kThreads * kItems;
  using Storage = SharedItems<Item, kCapacity>;

  /// `storage` is in shared memory.
  __device__ explicit BlockMergeSort(Storage& storage) : shared_(storage.view()) {}

  /// Sorts the first `count` items of the block, the same number in all threads. What is behind them is undefined.
  template <class Before = Less>
  __device__ void sort(Key (&keys)[kItems], const Before& before = {}, unsigned count = kCapacity) const {
    static_assert(std::is_void_v<Value>, "this sort has values: call sort(keys, values)");
    sort_items_of_block(keys, before, count);
  }

  template <class Before = Less, class OwnValue = Value>
  __device__ void sort(Key (&keys)[kItems], OwnValue (&values)[kItems], const Before& before = {},
                       unsigned count = kCapacity) const {
    with_pairs(keys, values,
               [&](Item(&pairs)[kItems]) { sort_items_of_block(pairs, KeyOrder<Before>{before}, count); });
  }

 private:
  template <class Before>
  __device__ void sort_items_of_block(Item (&items)[kItems], const Before& before, unsigned count) const {
    const unsigned first = threadIdx.x * kItems;
    const unsigned own_count = first >= count ? 0 : count - first < kItems ? count - first : kItems;
    sort_stably_in_registers(items, before, own_count);
#pragma unroll 1
    for (unsigned list_threads = 1; list_threads < kThreads && list_threads * kItems < count; list_threads *= 2) {
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) shared_.store(first + k, items[k]);
      __syncthreads();
      merge_neighbours(items, list_threads, count, before);
      __syncthreads();
    }
  }

  /// Sets `items` to the thread's share of the merge of two lists of `list_threads` threads' items each.
  template <class Before>
  __device__ void merge_neighbours(Item (&items)[kItems], unsigned list_threads, unsigned count,
                                   const Before& before) const {
    const unsigned first_thread = threadIdx.x & ~(2 * list_threads - 1);
    const unsigned begin = smaller(first_thread * kItems, count);
    const unsigned middle = smaller((first_thread + list_threads) * kItems, count);
    const unsigned end = smaller((first_thread + 2 * list_threads) * kItems, count);
    const unsigned diagonal = smaller((threadIdx.x - first_thread) * kItems, end - begin);
    const unsigned from_a =
        merge_path<unsigned>(shared_.from(begin), middle - begin, shared_.from(middle), end - middle, diagonal, before);
    unsigned a = begin + from_a;
    unsigned b = middle + diagonal - from_a;
    Item next_a = load_or_any(a);
    Item next_b = load_or_any(b);
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      const bool takes_b = b < end && (a >= middle || before(next_b, next_a));
      items[k] = takes_b ? next_b : next_a;
      a += takes_b ? 0 : 1;
      b += takes_b ? 1 : 0;
      const Item next = load_or_any(takes_b ? b : a);
      next_a = takes_b ? next_a : next;
      next_b = takes_b ? next : next_b;
    }
  }

  /// An item, or any if there is none.
  __device__ Item load_or_any(unsigned at) const { return shared_.load(smaller(at, kCapacity - 1)); }
  __device__ static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

  ItemView<Item> shared_;
};

/// Puts items `low` and `low + 1` in order. Returns whether they moved.
template <class Items, class Before>
__device__ bool transpose(const Items& items, unsigned low, unsigned count, const Before& before) {
  if (low + 1 >= count) return false;
  const auto a = items.load(low);
  const auto b = items.load(low + 1);
  if (!before(b, a)) return false;
  items.store(low, b);
  items.store(low + 1, a);
  return true;
}

/// Sorts the first `count` items in shared memory, at most two for each thread, by odd-even transposition: all pairs of
/// neighbours that begin at an even position are put in order, then those at an odd one, and so on until nothing moves,
/// at most `count` times. `items` has load(i) and store(i, item). Begins and ends with a barrier. Returns to all
/// threads whether any item moved. Habermann, "Parallel Neighbor-Sort", 1972.
template <class Items, class Before>
__device__ bool odd_even_sort_in_block(const Items& items, unsigned count, const Before& before) {
  bool any_moved = false;
  __syncthreads();
  for (unsigned step = 0; step < count; step += 2) {
    const bool even_moved = transpose(items, 2 * threadIdx.x, count, before);
    __syncthreads();
    const bool odd_moved = transpose(items, 2 * threadIdx.x + 1, count, before);
    if (__syncthreads_or(even_moved || odd_moved) == 0) break;
    any_moved = true;
  }
  return any_moved;
}

/// The same for an array of keys in shared memory.
template <class Key, class Before = Less>
__device__ bool block_odd_even_sort(Key* keys, unsigned count, const Before& before = {}) {
  return odd_even_sort_in_block(ItemView<Key>{keys}, count, before);
}

/// The same for arrays of keys and values.
template <class Key, class Value, class Before = Less>
__device__ bool block_odd_even_sort_pairs(Key* keys, Value* values, unsigned count, const Before& before = {}) {
  return odd_even_sort_in_block(ItemView<KeyValue<Key, Value>>{keys, values}, count, KeyOrder<Before>{before});
}

}  // namespace sortie::cuda
