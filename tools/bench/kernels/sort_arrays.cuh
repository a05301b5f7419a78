// The arrays that one type of items is sorted in, filled, and sorted by CUB: what the benches of all sorts share.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cuda/std/functional>

#include "bench/kernels/sort_rows.hpp"
#include "device/cuda_error.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/number_codec.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::bench {

struct NoValue {};

/// Keys, and values if items have some, for all calls of a round. The calls follow each other and share the other
/// arrays and the scratch.
template <class Key, class Value = NoValue>
struct SortArrays {
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;

  explicit SortArrays(const SortRows& rows)
      : count(rows.count()),
        keys(rows.calls() * count),
        alternate(count),
        values(kHasValues ? rows.calls() * count : 0),
        alternate_values(kHasValues ? count : 0),
        scratch(rows.scratch_bytes()) {}

  Key* keys_of(unsigned call) const { return keys.data() + call * count; }
  Value* values_of(unsigned call) const { return values.data() + call * count; }

  std::uint64_t count;
  Array<Key> keys;
  Array<Key> alternate;
  Array<Value> values;
  Array<Value> alternate_values;
  DeviceBuffer scratch;
};

template <class Key>
using BitsOf = std::conditional_t<kernels::ShortKey<Key>, Key, kernels::CodeOf<Key>>;

/// The codes of the keys have the distribution: "sorted" numbers of any type are in the requested order.
template <class Key, class Value>
void fill(SortRows& rows, const SortArrays<Key, Value>& arrays, KeyDistribution distribution,
          kernels::SortOrder order = kernels::SortOrder::kAscending) {
  rows.fill_with([&arrays, distribution, order](unsigned call, cudaStream_t s) {
    Key* const keys = arrays.keys_of(call);
    fill_keys(distribution, reinterpret_cast<BitsOf<Key>*>(keys), arrays.count, s);
    if constexpr (!kernels::ShortKey<Key>) {
      const bool is_descending = order == kernels::SortOrder::kDescending;
      kernels::decode_numbers({kernels::kKindOf<Key>, sizeof(Key), is_descending}, keys, arrays.count, s);
    }
    if constexpr (SortArrays<Key, Value>::kHasValues) fill_positions(arrays.values_of(call), arrays.count, s);
  });
}

template <class Key, class Value>
void add_cub_radix_sort(SortRows& rows, const SortArrays<Key, Value>& arrays,
                        kernels::SortOrder order = kernels::SortOrder::kAscending) {
  rows.add_peer("CUB radix", [&arrays, order](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    using Radix = cub::DeviceRadixSort;
    constexpr int kBits = 8 * sizeof(Key);
    const bool ascends = order == kernels::SortOrder::kAscending;
    cub::DoubleBuffer<Key> keys(arrays.keys_of(call), arrays.alternate.data());
    if constexpr (SortArrays<Key, Value>::kHasValues) {
      cub::DoubleBuffer<Value> values(arrays.values_of(call), arrays.alternate_values.data());
      check_cuda(Radix::SortPairs(area, bytes, keys, values, arrays.count, 0, kBits, s), "CUB radix sort");
    } else {
      check_cuda(ascends ? Radix::SortKeys(area, bytes, keys, arrays.count, 0, kBits, s)
                         : Radix::SortKeysDescending(area, bytes, keys, arrays.count, 0, kBits, s),
                 "CUB radix sort");
    }
  });
}

template <class Key, class Value>
void add_cub_merge_sort(SortRows& rows, const SortArrays<Key, Value>& arrays) {
  rows.add_peer("CUB merge", [&arrays](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    constexpr ::cuda::std::less<Key> kLess;
    if constexpr (SortArrays<Key, Value>::kHasValues) {
      check_cuda(cub::DeviceMergeSort::SortPairs(area, bytes, arrays.keys_of(call), arrays.values_of(call),
                                                 arrays.count, kLess, s),
                 "CUB merge sort");
    } else {
      check_cuda(cub::DeviceMergeSort::SortKeys(area, bytes, arrays.keys_of(call), arrays.count, kLess, s),
                 "CUB merge sort");
    }
  });
}

/// Our radix sort; `how`: an order, or a range of bits.
template <class Key, class Value, class How>
void add_radix_sort(SortRows& rows, const SortArrays<Key, Value>& arrays, How how) {
  constexpr std::uint64_t kValueBytes = SortArrays<Key, Value>::kHasValues ? sizeof(Value) : 0;
  rows.add("radix", radix_traffic_bytes<Key>(arrays.count, kValueBytes), [&arrays, how](unsigned call, cudaStream_t s) {
    if constexpr (SortArrays<Key, Value>::kHasValues) {
      kernels::radix_sort_pairs(arrays.keys_of(call), arrays.alternate.data(), arrays.values_of(call),
                                arrays.alternate_values.data(), arrays.count, how, arrays.scratch.data(), s);
    } else {
      kernels::radix_sort_keys(arrays.keys_of(call), arrays.alternate.data(), arrays.count, how, arrays.scratch.data(),
                               s);
    }
  });
}

/// The same of short keys.
template <kernels::ShortKey Key, class Value>
void add_short_radix_sort(SortRows& rows, const SortArrays<Key, Value>& arrays) {
  constexpr std::uint64_t kValueBytes = SortArrays<Key, Value>::kHasValues ? sizeof(Value) : 0;
  rows.add("radix", radix_traffic_bytes<Key>(arrays.count, kValueBytes), [&arrays](unsigned call, cudaStream_t s) {
    Key* const keys = arrays.keys_of(call);
    if constexpr (SortArrays<Key, Value>::kHasValues) {
      kernels::radix_sort_pairs(keys, arrays.alternate.data(), arrays.values_of(call), arrays.alternate_values.data(),
                                arrays.count, arrays.scratch.data(), s);
    } else {
      kernels::radix_sort_keys(keys, arrays.alternate.data(), arrays.count, arrays.scratch.data(), s);
    }
  });
}

}  // namespace sortie::bench
