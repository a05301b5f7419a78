#include <sortie/cuda/device_segmented_sort.hpp>

#include "bench/cuda_functions/cub_segments.cuh"
#include "bench/cuda_functions/functions.hpp"

namespace sortie::bench {
namespace {

constexpr Regime kRows[] = {{1U << 19, 32}, {1U << 16, 256}, {1U << 14, 1 << 10}, {1U << 12, 1 << 12}};

enum class RowKeys {
  kUniform,
  kOutlier,   ///< one key of each row has a high bit, all differ in their 12 lowest
  kClusters,  ///< half of the keys have a high bit, all differ in their 12 lowest
  kOutliers,  ///< one key in 64 is uniform, others differ in their 12 lowest bits
};

constexpr const char* kNamesOfKeys[] = {"", ", outlier", ", clusters", ", outliers"};

__global__ void keep_low_bits_kernel(std::uint64_t* keys, std::uint64_t count, std::uint64_t row_items, RowKeys kind) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count || (kind == RowKeys::kOutliers && i % 64 == 5)) return;
  const bool is_high = kind == RowKeys::kOutlier ? i % row_items == row_items / 3 : (keys[i] >> 40) % 2 != 0;
  keys[i] = keys[i] % 4096 | std::uint64_t{is_high && kind != RowKeys::kOutliers} << 63;
}

template <class Key>
void keep_low_bits(Key* keys, const Regime& rows, RowKeys kind, cudaStream_t stream) {
  if constexpr (sizeof(Key) == 8) {
    if (kind == RowKeys::kUniform) return;
    constexpr unsigned kThreads = 256;
    const auto grid = static_cast<unsigned>((rows.count() + kThreads - 1) / kThreads);
    keep_low_bits_kernel<<<grid, kThreads, 0, stream>>>(keys, rows.count(), rows.length, kind);
    check_cuda(cudaGetLastError(), "kernel that makes keys of rows");
  }
}

/// With places if there are values, which CUB moves in their stead.
template <class Key, class Value = NoValue>
void bench_rows_of(FunctionTable& table, const std::string& items, const Regime& regime,
                   RowKeys kind = RowKeys::kUniform) {
  const std::string function = "sort_rows " + items + kNamesOfKeys[static_cast<int>(kind)];
  if (!table.wants(function)) return;
  const cudaStream_t stream = table.timer().stream();
  const SortedInPlace<Key, Value> arrays(regime.count(), 1, stream);
  keep_low_bits(arrays.source_keys.data(), regime, kind, stream);
  const Array<std::int32_t> cub_offsets = offsets_of<std::int32_t>(regime, stream);
  FunctionCase a_case(table, function, regime.name(), arrays.bytes(), 1);
  a_case.prepare_by(arrays.refill());
  const sortie::cuda::ConstKeys keys(arrays.source_keys.data(), key_type<Key>());
  const sortie::cuda::Rows rows{regime.segment_count, regime.length};
  a_case.time_ours(sortie::cuda::sort_rows_scratch_bytes(key_type<Key>(), arrays.kValueBytes, rows),
                   [&](unsigned call, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::sort_rows(keys, arrays.our_keys(call),
                                                    {arrays.values_of(call), arrays.kValueBytes}, rows,
                                                    sortie::cuda::Order::kAscending, scratch, s);
                   });
  time_cub_sort(a_case, arrays, regime, cub_offsets.data());
  time_cub_radix_sort(a_case, arrays, regime, cub_offsets.data());
  a_case.finish();
}

}  // namespace

void bench_rows(FunctionTable& table) {
  for (const Regime& rows : kRows) {
    bench_rows_of<std::uint32_t>(table, "u32", rows);
    bench_rows_of<float>(table, "f32", rows);
    bench_rows_of<std::uint64_t>(table, "u64", rows);
    bench_rows_of<std::uint32_t, std::uint32_t>(table, "u32+u32", rows);
    for (const RowKeys kind : {RowKeys::kUniform, RowKeys::kOutlier, RowKeys::kClusters, RowKeys::kOutliers}) {
      bench_rows_of<std::uint64_t, std::uint32_t>(table, "u64+u32", rows, kind);
    }
  }
}

}  // namespace sortie::bench
