#include <cuda_fp16.h>

#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <cub/device/device_radix_sort.cuh>

#include "bench/cuda_functions/function_case.cuh"
#include "bench/cuda_functions/functions.hpp"
#include "bench/cuda_functions/one_area.hpp"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 28;

template <class Key>
void time_cub(FunctionCase& a_case, const SortedInPlace<Key>& arrays, sortie::cuda::KeyBits bits) {
  a_case.time_peer("CUB radix sort", [&](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    cub::DoubleBuffer<Key> keys(arrays.keys_of(call), arrays.other_keys.data());
    return cub::DeviceRadixSort::SortKeys(area, bytes, keys, cub_count(arrays.count), static_cast<int>(bits.begin),
                                          static_cast<int>(bits.end), s);
  });
}

template <class Key>
void time_thrust(FunctionCase& a_case, const SortedInPlace<Key>& arrays) {
  OneArea area(arrays.bytes() + arrays.bytes() / 8 + (std::uint64_t{1} << 26));
  a_case.time_whole_peer("thrust::sort", [&](unsigned call, cudaStream_t s) {
    thrust::sort(thrust::cuda::par_nosync(area).on(s), arrays.keys_of(call), arrays.keys_of(call) + arrays.count);
  });
}

template <class Key>
void bench_keys(FunctionTable& table, const std::string& items, std::uint64_t count, std::uint64_t most = kMost) {
  const std::string function = "radix_sort " + items;
  if (count > most || !table.wants(function)) return;
  const unsigned calls = calls_of(count);
  const SortedInPlace<Key> arrays(count, calls, table.timer().stream());
  FunctionCase a_case(table, function, size_name(count), arrays.bytes(), calls);
  a_case.prepare_by(arrays.refill());
  a_case.time_ours(sortie::cuda::radix_sort_scratch_bytes(key_type<Key>(), 0, count),
                   [&](unsigned call, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::radix_sort(arrays.our_keys(call), count, sortie::cuda::Order::kAscending,
                                                     scratch, s);
                   });
  time_cub(a_case, arrays, {0, 8 * sizeof(Key)});
  if constexpr (std::is_unsigned_v<Key> && sizeof(Key) >= 4) time_thrust(a_case, arrays);
  a_case.finish();
}

template <class Key>
void bench_bits(FunctionTable& table, const std::string& items, std::uint64_t count, sortie::cuda::KeyBits bits) {
  const std::string function = "radix_sort_by_bits " + items;
  if (count > kMost || !table.wants(function)) return;
  const unsigned calls = calls_of(count);
  const SortedInPlace<Key> arrays(count, calls, table.timer().stream());
  FunctionCase a_case(table, function, size_name(count), arrays.bytes(), calls);
  a_case.prepare_by(arrays.refill());
  a_case.time_ours(sortie::cuda::radix_sort_scratch_bytes(key_type<Key>(), 0, count),
                   [&](unsigned call, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::radix_sort_by_bits(arrays.our_keys(call), {}, count, bits, scratch, s);
                   });
  time_cub(a_case, arrays, bits);
  a_case.finish();
}

}  // namespace

void bench_key_functions(FunctionTable& table, std::uint64_t count) {
  constexpr std::uint64_t kMostOfFew = std::uint64_t{1} << 31;
  bench_keys<std::uint32_t>(table, "u32", count, kMostOfFew);
  bench_keys<std::uint64_t>(table, "u64", count, kMostOfFew);
  bench_keys<std::int64_t>(table, "i64", count);
  bench_keys<float>(table, "f32", count);
  bench_keys<double>(table, "f64", count);
  bench_keys<std::uint8_t>(table, "u8", count);
  bench_keys<std::uint16_t>(table, "u16", count);
  bench_keys<__half>(table, "f16", count);
  bench_bits<std::uint32_t>(table, "u32 8-24", count, {8, 24});
  bench_bits<std::uint64_t>(table, "u64 0-40", count, {0, 40});
}

}  // namespace sortie::bench
