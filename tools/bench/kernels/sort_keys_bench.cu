// All sorts of keys alone beside CUB's radix sort and merge sort.
#include "bench/kernels/families.hpp"
#include "bench/kernels/sort_arrays.cuh"
#include "kernels/bitonic_sort.hpp"
#include "kernels/merge_sort.hpp"
#include "kernels/odd_even_sort.hpp"
#include "kernels/split_radix_sort.hpp"

namespace sortie::bench {
namespace {

using namespace kernels;

template <class Key>
void bench_keys(BenchRun& run, const char* items, KeyDistribution distribution, std::uint64_t count) {
  SortRows rows(run, items, distribution, count);
  if (!rows.is_selected()) return;
  const SortArrays<Key> arrays(rows);
  Key* const alternate = arrays.alternate.data();
  std::byte* const scratch = arrays.scratch.data();
  fill(rows, arrays, distribution);
  add_cub_radix_sort(rows, arrays);
  add_cub_merge_sort(rows, arrays);
  add_radix_sort(rows, arrays, BitRange{0, 8 * sizeof(Key)});
  rows.add("merge sort", 0, [&, alternate, scratch](unsigned call, cudaStream_t s) {
    merge_sort_keys(arrays.keys_of(call), alternate, count, scratch, s);
  });
  if (count <= kMostBitonicItems) {
    rows.add("bitonic", 0, [&](unsigned call, cudaStream_t s) { bitonic_sort_keys(arrays.keys_of(call), count, s); });
  }
  if (count <= kMostSplitRadixItems) {
    rows.add("split radix", 0, [&, alternate, scratch](unsigned call, cudaStream_t s) {
      split_radix_sort_keys(arrays.keys_of(call), alternate, count, scratch, s);
    });
  }
  if (count <= kMostOddEvenItems) {
    rows.add("odd-even", 0, [&, scratch](unsigned call, cudaStream_t s) {
      odd_even_sort_keys(arrays.keys_of(call), count, count, scratch, s);
    });
  }
}

}  // namespace

void bench_key_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_keys<std::uint32_t>(run, "u32", distribution, count);
  bench_keys<std::uint64_t>(run, "u64", distribution, count);
}

}  // namespace sortie::bench
