// Radix sorts of one type of items beside CUB's. Times include everything a call does, with the histograms.
#pragma once

#include <string>

#include "bench/kernels/families.hpp"
#include "bench/kernels/sort_arrays.cuh"

namespace sortie::bench {

template <class Key, class Value = NoValue>
void bench_items(BenchRun& run, const std::string& items, KeyDistribution distribution, std::uint64_t count,
                 kernels::SortOrder order = kernels::SortOrder::kAscending) {
  if (!run.wants("radix " + items)) return;
  SortRows rows(run, items, distribution, count);
  const SortArrays<Key, Value> arrays(rows);
  fill(rows, arrays, distribution, order);
  add_cub_radix_sort(rows, arrays, order);
  if constexpr (kernels::ShortKey<Key>) {
    add_short_radix_sort(rows, arrays);
  } else {
    add_radix_sort(rows, arrays, order);
  }
}

}  // namespace sortie::bench
