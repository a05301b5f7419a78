// All sorts of pairs beside CUB's radix sort and merge sort.
#include "bench/kernels/families.hpp"
#include "bench/kernels/sort_arrays.cuh"
#include "kernels/bitonic_sort.hpp"
#include "kernels/merge_sort.hpp"
#include "kernels/odd_even_sort.hpp"
#include "kernels/split_radix_sort.hpp"

namespace sortie::bench {
namespace {

using namespace kernels;
using Value = std::uint32_t;

/// The peers, and our sorts that take keys of both lengths alike.
template <class Key>
void add_common_sorts(SortRows& rows, const SortArrays<Key, Value>& arrays, KeyDistribution distribution) {
  fill(rows, arrays, distribution);
  add_cub_radix_sort(rows, arrays);
  add_cub_merge_sort(rows, arrays);
  add_radix_sort(rows, arrays, BitRange{0, 8 * sizeof(Key)});
  if (arrays.count > kMostBitonicItems) return;
  rows.add("bitonic", 0, [&arrays](unsigned call, cudaStream_t s) {
    bitonic_sort_pairs(arrays.keys_of(call), arrays.values_of(call), arrays.count, s);
  });
}

void bench_narrow_pairs(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  SortRows rows(run, "u32+u32", distribution, count);
  if (!rows.is_selected()) return;
  const SortArrays<std::uint32_t, Value> arrays(rows);
  add_common_sorts(rows, arrays, distribution);
  rows.add("merge sort", 0, [&](unsigned call, cudaStream_t s) {
    merge_sort_pairs(arrays.keys_of(call), arrays.alternate.data(), arrays.values_of(call),
                     arrays.alternate_values.data(), count, SortOrder::kAscending, arrays.scratch.data(), s);
  });
}

void bench_wide_pairs(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  SortRows rows(run, "u64+u32", distribution, count);
  if (!rows.is_selected()) return;
  const SortArrays<std::uint64_t, Value> arrays(rows);
  add_common_sorts(rows, arrays, distribution);
  const PrefixPairs alternate{arrays.alternate.data(), arrays.alternate_values.data()};
  std::byte* const scratch = arrays.scratch.data();
  const auto of_call = [&](unsigned call) { return PrefixPairs{arrays.keys_of(call), arrays.values_of(call)}; };
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
