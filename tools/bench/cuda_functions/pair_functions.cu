#include <cub/device/device_radix_sort.cuh>

#include "bench/cuda_functions/function_case.cuh"
#include "bench/cuda_functions/functions.hpp"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 28;

template <class Key, class Value>
void bench_pairs(FunctionTable& table, const std::string& items, std::uint64_t count) {
  const std::string function = "radix_sort " + items;
  if (count > kMost || !table.wants(function)) return;
  const unsigned calls = calls_of(count);
  const SortedInPlace<Key, Value> arrays(count, calls, table.timer().stream());
  FunctionCase a_case(table, function, size_name(count), arrays.bytes(), calls);
  a_case.prepare_by(arrays.refill());
  a_case.time_ours(sortie::cuda::radix_sort_scratch_bytes(key_type<Key>(), sizeof(Value), count),
                   [&](unsigned call, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::radix_sort(arrays.our_keys(call), arrays.our_values(call), count,
                                                     sortie::cuda::Order::kAscending, scratch, s);
                   });
  a_case.time_peer("CUB radix sort", [&](void* area, std::size_t& bytes, unsigned call, cudaStream_t s) {
    cub::DoubleBuffer<Key> keys(arrays.keys_of(call), arrays.other_keys.data());
    cub::DoubleBuffer<Value> values(arrays.values_of(call), arrays.other_values.data());
    return cub::DeviceRadixSort::SortPairs(area, bytes, keys, values, cub_count(count), 0, 8 * sizeof(Key), s);
  });
  a_case.finish();
}

/// CUB has no argsort: its peer writes the positions, then sorts them with the keys, which stay as they are.
template <class Key, class Position>
void bench_argsort(FunctionTable& table, const std::string& items, std::uint64_t count, std::uint64_t most = kMost) {
  const std::string function = "argsort " + items;
  if (count > most || !table.wants(function)) return;
  const unsigned calls = calls_of(count);
  const SortedInPlace<Key, Position> arrays(count, 1, table.timer().stream());
  FunctionCase a_case(table, function, size_name(count), count * sizeof(Key), calls);
  const sortie::cuda::ConstKeys keys(arrays.source_keys.data(), key_type<Key>());
  const sortie::cuda::Positions positions(arrays.values.data());
  a_case.time_ours(sortie::cuda::argsort_scratch_bytes(key_type<Key>(), sizeof(Position), count),
                   [&](unsigned, const sortie::cuda::Scratch& scratch, cudaStream_t s) {
                     return sortie::cuda::argsort(keys, positions, count, sortie::cuda::Order::kAscending, scratch, s);
                   });
  a_case.time_peer("CUB radix sort", [&](void* area, std::size_t& bytes, unsigned, cudaStream_t s) {
    if (area != nullptr) fill_positions(arrays.source_values.data(), count, s);
    return cub::DeviceRadixSort::SortPairs(area, bytes, arrays.source_keys.data(), arrays.other_keys.data(),
                                           arrays.source_values.data(), arrays.values.data(), cub_count(count), 0,
                                           8 * sizeof(Key), s);
  });
  a_case.finish();
}

}  // namespace

void bench_pair_functions(FunctionTable& table, std::uint64_t count) {
  constexpr std::uint64_t kMostOfFew = std::uint64_t{1} << 31;
  bench_pairs<std::uint32_t, std::uint32_t>(table, "u32+u32", count);
  bench_pairs<std::uint32_t, std::uint64_t>(table, "u32+u64", count);
  bench_pairs<std::uint64_t, std::uint32_t>(table, "u64+u32", count);
  bench_pairs<std::uint64_t, std::uint64_t>(table, "u64+u64", count);
  bench_pairs<std::uint32_t, uint4>(table, "u32+16 bytes", count);
  bench_pairs<std::uint64_t, uint4>(table, "u64+16 bytes", count);
  bench_argsort<std::uint32_t, std::uint32_t>(table, "u32 to u32", count, kMostOfFew);
  bench_argsort<std::uint64_t, std::uint32_t>(table, "u64 to u32", count);
  bench_argsort<std::uint64_t, std::uint64_t>(table, "u64 to u64", count);
}

}  // namespace sortie::bench
