// Segments of equal length, and CUB's two sorts of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "bench/cuda_functions/function_case.cuh"

namespace sortie::bench {

/// Segments of equal length.
struct Regime {
  std::uint32_t segment_count;
  std::uint64_t length;

  std::string name() const { return size_name(segment_count) + " x " + size_name(length); }
  std::uint64_t count() const { return segment_count * length; }
};

/// The beginnings of segments and the end of the last one: ours have 64 bits, CUB is the faster for 32.
template <class Offset>
Array<Offset> offsets_of(const Regime& regime, cudaStream_t stream) {
  std::vector<Offset> host;
  for (std::uint64_t i = 0; i <= regime.segment_count; ++i) host.push_back(static_cast<Offset>(i * regime.length));
  Array<Offset> offsets(host.size());
  check_cuda(cudaMemcpyAsync(offsets.data(), host.data(), host.size() * sizeof(Offset), cudaMemcpyDefault, stream),
             "uploading offsets");
  check_cuda(cudaStreamSynchronize(stream), "uploading offsets");
  return offsets;
}

/// CUB's sort for segments of any length waits for the numbers of small and large ones.
template <class Key, class Value>
void time_cub_sort(FunctionCase& a_case, const SortedInPlace<Key, Value>& arrays, const Regime& regime,
                   const std::int32_t* offsets) {
  a_case.time_waiting_peer("CUB segmented sort", [&](void* area, std::size_t& bytes, unsigned, cudaStream_t s) {
    cub::DoubleBuffer<Key> keys(arrays.keys.data(), arrays.other_keys.data());
    if constexpr (arrays.kHasValues) {
      cub::DoubleBuffer<Value> values(arrays.values.data(), arrays.other_values.data());
      return cub::DeviceSegmentedSort::StableSortPairs(area, bytes, keys, values, arrays.count, regime.segment_count,
                                                       offsets, offsets + 1, s);
    } else {
      return cub::DeviceSegmentedSort::SortKeys(area, bytes, keys, arrays.count, regime.segment_count, offsets,
                                                offsets + 1, s);
    }
  });
}

template <class Key, class Value>
void time_cub_radix_sort(FunctionCase& a_case, const SortedInPlace<Key, Value>& arrays, const Regime& regime,
                         const std::int32_t* offsets) {
  a_case.time_peer("CUB segmented radix sort", [&](void* area, std::size_t& bytes, unsigned, cudaStream_t s) {
    constexpr int kBits = 8 * sizeof(Key);
    cub::DoubleBuffer<Key> keys(arrays.keys.data(), arrays.other_keys.data());
    if constexpr (arrays.kHasValues) {
      cub::DoubleBuffer<Value> values(arrays.values.data(), arrays.other_values.data());
      return cub::DeviceSegmentedRadixSort::SortPairs(area, bytes, keys, values, arrays.count, regime.segment_count,
                                                      offsets, offsets + 1, 0, kBits, s);
    } else {
      return cub::DeviceSegmentedRadixSort::SortKeys(area, bytes, keys, arrays.count, regime.segment_count, offsets,
                                                     offsets + 1, 0, kBits, s);
    }
  });
}

}  // namespace sortie::bench
