// Radix sorts of the types that no other sort takes, beside CUB's. Times include everything a call does, with the
// histograms.
#include "bench/kernels/families.hpp"
#include "bench/kernels/sort_arrays.cuh"

namespace sortie::bench {
namespace {

template <class Key, class Value = NoValue>
void bench_items(BenchRun& run, const std::string& items, KeyDistribution distribution, std::uint64_t count,
                 kernels::SortOrder order = kernels::SortOrder::kAscending) {
  if (!run.wants("radix " + items)) return;
  SortRows rows(run, items, distribution, count);
  const SortArrays<Key, Value> arrays(rows);
  fill(rows, arrays, distribution, order);
  add_cub_radix_sort(rows, arrays, order);
  add_radix_sort(rows, arrays, order);
}

}  // namespace

void bench_radix_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_items<std::uint32_t, std::uint64_t>(run, "u32+u64", distribution, count);
  bench_items<std::uint64_t, std::uint64_t>(run, "u64+u64", distribution, count);
  bench_items<float>(run, "f32", distribution, count);
  bench_items<std::int64_t>(run, "i64", distribution, count);
  bench_items<std::uint64_t>(run, "u64 descending", distribution, count, kernels::SortOrder::kDescending);
  bench_items<float, std::uint32_t>(run, "f32+u32", distribution, count);
}

}  // namespace sortie::bench
