// All sorts of pairs beside CUB's radix sort and merge sort.
#include <algorithm>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cuda/std/functional>

#include "bench/kernels/families.hpp"
#include "bench/kernels/radix_traffic.hpp"
#include "bench/kernels/sort_rows.hpp"
#include "device/cuda_error.hpp"
#include "kernels/bitonic_sort.hpp"
#include "kernels/merge_sort.hpp"
#include "kernels/odd_even_sort.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/split_radix_sort.hpp"

namespace sortie::bench {
namespace {

using namespace kernels;
using Value = std::uint32_t;

/// Pairs for all calls of a round. The calls follow each other and share the other arrays and the scratch.
template <class Key>
struct PairArrays {
  PairArrays(unsigned calls, std::uint64_t count, std::uint64_t scratch_bytes)
      : keys(calls * count), alternate(count), values(calls * count), alternate_values(count), scratch(scratch_bytes) {}

  Array<Key> keys;
  Array<Key> alternate;
  Array<Value> values;
  Array<Value> alternate_values;
  DeviceBuffer scratch;
};

template <class Key>
void fill(SortRows& rows, const PairArrays<Key>& arrays, KeyDistribution distribution) {
  rows.fill_with([&arrays, distribution, count = rows.count()](unsigned call, cudaStream_t s) {
    fill_keys(distribution, arrays.keys.data() + call * count, count, s);
    fill_positions(arrays.values.data() + call * count, count, s);
  });
}

template <class Key>
void add_cub_sorts(SortRows& rows, const PairArrays<Key>& arrays) {
  const std::uint64_t count = rows.count();
  rows.add_peer("CUB radix", [&arrays, count](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    cub::DoubleBuffer<Key> keys(arrays.keys.data() + call * count, arrays.alternate.data());
    cub::DoubleBuffer<Value> values(arrays.values.data() + call * count, arrays.alternate_values.data());
    check_cuda(cub::DeviceRadixSort::SortPairs(area, bytes, keys, values, count, 0, 8 * sizeof(Key), s),
               "CUB radix sort");
  });
  rows.add_peer("CUB merge", [&arrays, count](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    check_cuda(cub::DeviceMergeSort::SortPairs(area, bytes, arrays.keys.data() + call * count,
                                               arrays.values.data() + call * count, count, cuda::std::less<Key>(), s),
               "CUB merge sort");
  });
}

template <class Key>
void add_radix_and_bitonic(SortRows& rows, const PairArrays<Key>& arrays) {
  const std::uint64_t count = rows.count();
  rows.add("radix", radix_traffic_bytes<Key>(count, sizeof(Value)), [&arrays, count](unsigned call, cudaStream_t s) {
    radix_sort_pairs(arrays.keys.data() + call * count, arrays.alternate.data(), arrays.values.data() + call * count,
                     arrays.alternate_values.data(), count, {0, 8 * sizeof(Key)}, arrays.scratch.data(), s);
  });
  if (count > kMostBitonicItems) return;
  rows.add("bitonic", 0, [&arrays, count](unsigned call, cudaStream_t s) {
    bitonic_sort_pairs(arrays.keys.data() + call * count, arrays.values.data() + call * count, count, s);
  });
}

void bench_narrow_pairs(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  SortRows rows(run, "u32+u32", distribution, count);
  if (!rows.is_selected()) return;
  const PairArrays<std::uint32_t> arrays(rows.calls(), count, rows.scratch_bytes());
  fill(rows, arrays, distribution);
  add_cub_sorts(rows, arrays);
  add_radix_and_bitonic(rows, arrays);
  rows.add("merge sort", 0, [&](unsigned call, cudaStream_t s) {
    merge_sort_pairs(arrays.keys.data() + call * count, arrays.alternate.data(), arrays.values.data() + call * count,
                     arrays.alternate_values.data(), count, SortOrder::kAscending, arrays.scratch.data(), s);
  });
}

void bench_wide_pairs(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  SortRows rows(run, "u64+u32", distribution, count);
  if (!rows.is_selected()) return;
  const PairArrays<std::uint64_t> arrays(rows.calls(), count, rows.scratch_bytes());
  fill(rows, arrays, distribution);
  add_cub_sorts(rows, arrays);
  add_radix_and_bitonic(rows, arrays);
  const PrefixPairs alternate{arrays.alternate.data(), arrays.alternate_values.data()};
  std::byte* const scratch = arrays.scratch.data();
  const auto of_call = [&](unsigned call) {
    return PrefixPairs{arrays.keys.data() + call * count, arrays.values.data() + call * count};
  };
  rows.add("merge sort", 0, [&](unsigned call, cudaStream_t s) {
    merge_sort_pairs(of_call(call), alternate, count, nullptr, scratch, s);
  });
  if (count <= kMostSplitRadixItems) {
    rows.add("split radix", 0, [&](unsigned call, cudaStream_t s) {
      split_radix_sort_pairs(of_call(call), alternate, count, scratch, s);
    });
  }
  if (count <= kMostOddEvenItems) {
    rows.add("odd-even", 0,
             [&](unsigned call, cudaStream_t s) { odd_even_sort_pairs(of_call(call), count, count, scratch, s); });
  }
}

}  // namespace

void bench_pair_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_narrow_pairs(run, distribution, count);
  bench_wide_pairs(run, distribution, count);
}

}  // namespace sortie::bench
