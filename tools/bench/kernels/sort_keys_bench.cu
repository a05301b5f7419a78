// All sorts of keys alone beside CUB's radix sort and merge sort.
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

template <class Key>
void add_cub_sorts(SortRows& rows, Key* keys, Key* alternate) {
  const std::uint64_t count = rows.count();
  rows.add_peer("CUB radix", [=](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    cub::DoubleBuffer<Key> buffers(keys + call * count, alternate);
    check_cuda(cub::DeviceRadixSort::SortKeys(area, bytes, buffers, count, 0, 8 * sizeof(Key), s), "CUB radix sort");
  });
  rows.add_peer("CUB merge", [=](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    check_cuda(cub::DeviceMergeSort::SortKeys(area, bytes, keys + call * count, count, cuda::std::less<Key>(), s),
               "CUB merge sort");
  });
}

template <class Key>
void bench_keys(BenchRun& run, const char* items, KeyDistribution distribution, std::uint64_t count) {
  SortRows rows(run, items, distribution, count);
  if (!rows.is_selected()) return;
  const Array<Key> all_keys(rows.calls() * count);
  const Array<Key> alternate_keys(count);
  const DeviceBuffer scratch_area(rows.scratch_bytes());
  Key* const keys = all_keys.data();
  Key* const alternate = alternate_keys.data();
  std::byte* const scratch = scratch_area.data();
  rows.fill_with([=](unsigned call, cudaStream_t s) { fill_keys(distribution, keys + call * count, count, s); });
  add_cub_sorts(rows, keys, alternate);

  rows.add("radix", radix_traffic_bytes<Key>(count, 0), [=](unsigned call, cudaStream_t s) {
    radix_sort_keys(keys + call * count, alternate, count, {0, 8 * sizeof(Key)}, scratch, s);
  });
  rows.add("merge sort", 0,
           [=](unsigned call, cudaStream_t s) { merge_sort_keys(keys + call * count, alternate, count, scratch, s); });
  if (count <= kMostBitonicItems) {
    rows.add("bitonic", 0, [=](unsigned call, cudaStream_t s) { bitonic_sort_keys(keys + call * count, count, s); });
  }
  if (count <= kMostSplitRadixItems) {
    rows.add("split radix", 0, [=](unsigned call, cudaStream_t s) {
      split_radix_sort_keys(keys + call * count, alternate, count, scratch, s);
    });
  }
  if (count <= kMostOddEvenItems) {
    rows.add("odd-even", 0,
             [=](unsigned call, cudaStream_t s) { odd_even_sort_keys(keys + call * count, count, count, scratch, s); });
  }
}

}  // namespace

void bench_key_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_keys<std::uint32_t>(run, "u32", distribution, count);
  bench_keys<std::uint64_t>(run, "u64", distribution, count);
}

}  // namespace sortie::bench
