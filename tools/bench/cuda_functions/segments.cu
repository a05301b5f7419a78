#include <vector>

#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <sortie/cuda/device_segmented_sort.hpp>

#include "bench/cuda_functions/function_case.cuh"
#include "bench/cuda_functions/functions.hpp"

namespace sortie::bench {
namespace {

/// Segments of equal length.
struct Regime {
  std::uint32_t segment_count;
  std::uint64_t length;
};

constexpr Regime kRegimes[] = {{1U << 20, 8},       {1U << 17, 64}, {1U << 14, 1 << 10},
                               {1U << 10, 1 << 16}, {8, 1 << 22},   {1, 1 << 26}};

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

template <class Key, class Value = NoValue>
void bench_regime(FunctionTable& table, const std::string& items, const Regime& regime) {
  const std::string function = "segmented_sort " + items;
  if (!table.wants(function)) return;
  const std::uint64_t count = regime.segment_count * regime.length;
  const cudaStream_t stream = table.timer().stream();
  const SortedInPlace<Key, Value> arrays(count, 1, stream);
  const Array<std::uint64_t> offsets = offsets_of<std::uint64_t>(regime, stream);
  const Array<std::int32_t> cub_offsets = offsets_of<std::int32_t>(regime, stream);
  const std::string size = size_name(regime.segment_count) + " x " + size_name(regime.length);
  FunctionCase a_case(table, function, size, arrays.bytes(), 1);
  a_case.prepare_by(arrays.refill());
  a_case.time_ours(sortie::cuda::segmented_sort_scratch_bytes(key_type<Key>(), arrays.kValueBytes, count),
                   [&](unsigned call, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::segmented_sort(arrays.our_keys(call), arrays.our_values(call), count,
                                                         {offsets.data(), regime.segment_count},
                                                         sortie::cuda::Order::kAscending, scratch, s);
                   });
  time_cub_sort(a_case, arrays, regime, cub_offsets.data());
  time_cub_radix_sort(a_case, arrays, regime, cub_offsets.data());
  a_case.finish();
}

}  // namespace

void bench_segments(FunctionTable& table) {
  for (const Regime& regime : kRegimes) {
    bench_regime<std::uint32_t>(table, "u32", regime);
    bench_regime<std::uint64_t>(table, "u64", regime);
    bench_regime<std::uint32_t, std::uint32_t>(table, "u32+u32", regime);
  }
}

}  // namespace sortie::bench
