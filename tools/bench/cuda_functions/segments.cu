#include <sortie/cuda/device_segmented_sort.hpp>

#include "bench/cuda_functions/cub_segments.cuh"
#include "bench/cuda_functions/functions.hpp"

namespace sortie::bench {
namespace {

constexpr Regime kRegimes[] = {{1U << 20, 8},       {1U << 17, 64}, {1U << 14, 1 << 10},
                               {1U << 10, 1 << 16}, {8, 1 << 22},   {1, 1 << 26}};

template <class Key, class Value = NoValue>
void bench_regime(FunctionTable& table, const std::string& items, const Regime& regime) {
  const std::string function = "segmented_sort " + items;
  if (!table.wants(function)) return;
  const std::uint64_t count = regime.count();
  const cudaStream_t stream = table.timer().stream();
  const SortedInPlace<Key, Value> arrays(count, 1, stream);
  const Array<std::uint64_t> offsets = offsets_of<std::uint64_t>(regime, stream);
  const Array<std::int32_t> cub_offsets = offsets_of<std::int32_t>(regime, stream);
  FunctionCase a_case(table, function, regime.name(), arrays.bytes(), 1);
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
