#include <cub/device/device_merge_sort.cuh>
#include <cuda/std/functional>

#include <sortie/cuda/device_merge_sort.hpp>

#include "bench/cuda_functions/function_case.cuh"
#include "bench/cuda_functions/functions.hpp"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 28;

template <class Key, class Value = NoValue>
void bench_items(FunctionTable& table, const std::string& items, std::uint64_t count) {
  const std::string function = "merge_sort " + items;
  if (!table.wants(function)) return;
  const unsigned calls = calls_of(count);
  using Arrays = SortedInPlace<Key, Value>;
  const Arrays arrays(count, calls, table.timer().stream());
  FunctionCase a_case(table, function, size_name(count), arrays.bytes(), calls);
  a_case.prepare_by(arrays.refill());
  a_case.time_ours(sortie::cuda::merge_sort_scratch_bytes(key_type<Key>(), Arrays::kValueBytes, count),
                   [&](unsigned call, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::merge_sort(arrays.our_keys(call), arrays.our_values(call), count,
                                                     sortie::cuda::Order::kAscending, scratch, s);
                   });
  a_case.time_peer("CUB merge sort", [&](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    using Sort = cub::DeviceMergeSort;
    constexpr ::cuda::std::less<Key> kLess;
    if constexpr (Arrays::kHasValues) {
      return Sort::SortPairs(area, bytes, arrays.keys_of(call), arrays.values_of(call), cub_count(count), kLess, s);
    } else {
      return Sort::SortKeys(area, bytes, arrays.keys_of(call), cub_count(count), kLess, s);
    }
  });
  a_case.finish();
}

}  // namespace

void bench_merge_sort_functions(FunctionTable& table, std::uint64_t count) {
  if (count > kMost) return;
  bench_items<std::uint32_t>(table, "u32", count);
  bench_items<std::uint64_t>(table, "u64", count);
  bench_items<std::uint64_t, std::uint32_t>(table, "u64+u32", count);
}

}  // namespace sortie::bench
