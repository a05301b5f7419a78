#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>
#include <cuda/iterator>
#define SORTIE_CUB_HAS_TOPK 1
#else
#define SORTIE_CUB_HAS_TOPK 0
#endif

#include <sortie/cuda/device_sets.hpp>
#include <sortie/cuda/device_top_k.hpp>

#include "bench/cuda_functions/function_case.cuh"
#include "bench/cuda_functions/functions.hpp"
#include "bench/cuda_functions/sorted_keys.cuh"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 28;

/// The largest k keys and their positions.
template <class Key>
struct TopArrays {
  TopArrays(std::uint64_t count, std::uint64_t k, cudaStream_t stream)
      : items(count, 1, stream), keys(k), positions(k) {}

  SortedInPlace<Key, std::uint32_t> items;
  Array<Key> keys;
  Array<std::uint32_t> positions;
};

#if SORTIE_CUB_HAS_TOPK
/// CUB gives these items in any order, and any of equal ones.
template <class Key>
void time_cub_top(FunctionCase& a_case, const TopArrays<Key>& arrays, std::uint64_t k) {
  a_case.time_peer("CUB top-k, unsorted", [&](void* area, std::size_t& bytes, unsigned, cudaStream_t s) {
    const auto requirements = ::cuda::execution::require(::cuda::execution::determinism::not_guaranteed,
                                                         ::cuda::execution::output_ordering::unsorted);
    const auto environment = ::cuda::std::execution::env{::cuda::stream_ref{s}, requirements};
    return cub::DeviceTopK::MaxPairs(area, bytes, arrays.items.source_keys.data(), arrays.keys.data(),
                                     ::cuda::counting_iterator<std::uint32_t>(0), arrays.positions.data(),
                                     cub_count(arrays.items.count), cub_count(k), environment);
  });
}
#else
template <class Key>
void time_cub_top(FunctionCase& a_case, const TopArrays<Key>& arrays, std::uint64_t /*k*/) {
  a_case.time_peer("CUB radix sort", [&](void* area, std::size_t& bytes, unsigned, cudaStream_t s) {
    const SortedInPlace<Key, std::uint32_t>& items = arrays.items;
    return cub::DeviceRadixSort::SortPairsDescending(area, bytes, items.source_keys.data(), items.other_keys.data(),
                                                     items.source_values.data(), items.other_values.data(),
                                                     cub_count(items.count), 0, 8 * sizeof(Key), s);
  });
}
#endif

template <class Key>
void bench_top(FunctionTable& table, const std::string& items, std::uint64_t count, std::uint64_t k) {
  const std::string function = "top_k " + items + " k=" + size_name(k);
  if (count < k || !table.wants(function)) return;
  const TopArrays<Key> arrays(count, k, table.timer().stream());
  FunctionCase a_case(table, function, size_name(count), count * sizeof(Key), calls_of(count));
  const sortie::cuda::ConstKeys keys(arrays.items.source_keys.data(), key_type<Key>());
  a_case.time_ours(sortie::cuda::top_k_scratch_bytes(key_type<Key>(), sizeof(std::uint32_t), count, k),
                   [&](unsigned, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::top_k(keys, count, k, arrays.keys.data(), arrays.positions.data(),
                                                sortie::cuda::Order::kDescending, scratch, s);
                   });
  time_cub_top(a_case, arrays, k);
  a_case.finish();
}

/// Half as many possible keys as items: some 43% of the items are kept.
template <class Key, class Value = NoValue>
void bench_unique(FunctionTable& table, const std::string& items, std::uint64_t count) {
  const std::string function = "unique " + items;
  if (!table.wants(function)) return;
  using Arrays = SortedInPlace<Key, Value>;
  const Arrays arrays(count, 1, table.timer().stream());
  const Array<std::uint64_t> kept(1);
  fill_sorted_below(static_cast<Key>(count / 2), arrays.source_keys.data(), count, table.timer().stream());
  FunctionCase a_case(table, function, size_name(count), arrays.bytes(), calls_of(count));
  const sortie::cuda::SortedList list{
      {arrays.source_keys.data(), key_type<Key>()}, {arrays.source_values.data(), Arrays::kValueBytes}, count};
  a_case.time_ours(sortie::cuda::unique_scratch_bytes(count),
                   [&](unsigned, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::unique(list, arrays.our_keys(0), arrays.our_values(0), kept.data(),
                                                 sortie::cuda::Keep::kFirst, scratch, s);
                   });
  a_case.time_peer("CUB select", [&](void* area, std::size_t& bytes, unsigned, cudaStream_t s) {
    if constexpr (Arrays::kHasValues) {
      return cub::DeviceSelect::UniqueByKey(area, bytes, arrays.source_keys.data(), arrays.source_values.data(),
                                            arrays.keys.data(), arrays.values.data(), kept.data(), cub_count(count), s);
    } else {
      return cub::DeviceSelect::Unique(area, bytes, arrays.source_keys.data(), arrays.keys.data(), kept.data(),
                                       cub_count(count), s);
    }
  });
  a_case.finish();
}

}  // namespace

void bench_selections(FunctionTable& table, std::uint64_t count) {
  if (count > kMost) return;
  constexpr std::uint64_t kFew = 1 << 6;
  constexpr std::uint64_t kMany = 1 << 16;
  bench_top<std::uint32_t>(table, "u32", count, kFew);
  bench_top<std::uint64_t>(table, "u64", count, kFew);
  bench_top<float>(table, "f32", count, kFew);
  if (count > kMany) bench_top<std::uint32_t>(table, "u32", count, kMany);
  bench_unique<std::uint32_t>(table, "u32", count);
  bench_unique<std::uint64_t>(table, "u64", count);
  bench_unique<std::uint64_t, std::uint32_t>(table, "u64+u32", count);
}

}  // namespace sortie::bench
