// Merges of many sorted sequences by CUB, which merges two at a time: the peer of our merges.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cub/device/device_merge.cuh>

#include "bench/kernels/key_fill.hpp"
#include "device/cuda_error.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::bench {

/// The items of a bench, in primary and alternate arrays.
template <class Key, class Value>
struct ItemArrays {
  static constexpr bool kHasValues = kernels::kHasValue<Value>;
  using KeyType = Key;
  static constexpr std::uint64_t kItemBytes = sizeof(Key) + (kHasValues ? sizeof(Value) : 0);

  explicit ItemArrays(std::uint64_t count)
      : keys(count), other_keys(count), values(kHasValues ? count : 0), other_values(kHasValues ? count : 0) {}

  Array<Key> keys;
  Array<Key> other_keys;
  Array<Value> values;
  Array<Value> other_values;
};

/// Merges neighbouring sequences of `length` items each, two by two, from the first arrays to the second or back.
template <class Arrays>
class CubMerges {
 public:
  CubMerges(const Arrays& arrays, std::uint64_t count, cudaStream_t stream) : arrays_(arrays), count_(count) {
    merge(nullptr, 0, count / 2, true, stream);
    scratch_ = DeviceBuffer(bytes_);
  }

  /// As many rounds as it takes.
  void run(std::uint64_t length, cudaStream_t stream) {
    for (bool forth = true; length < count_; length *= 2, forth = !forth) {
      for (std::uint64_t begin = 0; begin < count_; begin += 2 * length) {
        merge(scratch_.data(), begin, length, forth, stream);
      }
    }
  }

 private:
  void merge(void* area, std::uint64_t begin, std::uint64_t length, bool forth, cudaStream_t stream) {
    const std::uint64_t middle = begin + length;
    auto* const keys = forth ? arrays_.keys.data() : arrays_.other_keys.data();
    auto* const keys_out = forth ? arrays_.other_keys.data() : arrays_.keys.data();
    if constexpr (Arrays::kHasValues) {
      auto* const values = forth ? arrays_.values.data() : arrays_.other_values.data();
      auto* const values_out = forth ? arrays_.other_values.data() : arrays_.values.data();
      check_cuda(
          cub::DeviceMerge::MergePairs(area, bytes_, keys + begin, values + begin, length, keys + middle,
                                       values + middle, length, keys_out + begin, values_out + begin, {}, stream),
          "CUB merge");
    } else {
      check_cuda(cub::DeviceMerge::MergeKeys(area, bytes_, keys + begin, length, keys + middle, length,
                                             keys_out + begin, {}, stream),
                 "CUB merge");
    }
  }

  const Arrays& arrays_;
  std::uint64_t count_;
  std::size_t bytes_ = 0;
  DeviceBuffer scratch_;
};

}  // namespace sortie::bench
