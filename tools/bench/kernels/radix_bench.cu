// Radix sorts of the types that no other sort takes, beside CUB's. Times include everything a call does, with the
// histograms. The codes of the keys have the distribution: "sorted" numbers of any type are in the requested order.
#include <string_view>

#include <cub/device/device_radix_sort.cuh>

#include "bench/kernels/families.hpp"
#include "bench/kernels/radix_traffic.hpp"
#include "device/cuda_error.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/number_codec.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::bench {
namespace {

using kernels::CodeOf;
using kernels::radix_sort_scratch_bytes;
using kernels::SortOrder;

template <class Key>
void fill_numbers(KeyDistribution distribution, SortOrder order, Key* keys, std::uint64_t count, cudaStream_t stream) {
  fill_keys(distribution, reinterpret_cast<CodeOf<Key>*>(keys), count, stream);
  kernels::decode_numbers({kernels::kKindOf<Key>, sizeof(Key), order == SortOrder::kDescending}, keys, count, stream);
}

template <class Key, SortOrder kOrder = SortOrder::kAscending>
void bench_keys(BenchRun& run, std::string_view operation, KeyDistribution distribution, std::uint64_t count) {
  if (!run.wants(operation)) return;
  const Array<Key> keys(count);
  const Array<Key> alternate(count);
  const DeviceBuffer scratch(radix_sort_scratch_bytes(count));
  std::size_t cub_bytes = 0;
  const auto cub_sort = [&](void* area, cudaStream_t s) {
    cub::DoubleBuffer<Key> buffers(keys.data(), alternate.data());
    check_cuda(kOrder == SortOrder::kAscending
                   ? cub::DeviceRadixSort::SortKeys(area, cub_bytes, buffers, count, 0, 8 * sizeof(Key), s)
                   : cub::DeviceRadixSort::SortKeysDescending(area, cub_bytes, buffers, count, 0, 8 * sizeof(Key), s),
               "CUB radix sort");
  };
  cub_sort(nullptr, run.stream());
  const DeviceBuffer cub_scratch(cub_bytes);

  const auto fill = [&](cudaStream_t s) { fill_numbers(distribution, kOrder, keys.data(), count, s); };
  Measurement row{std::string(operation), distribution, count, radix_traffic_bytes<Key>(count, 0)};
  row.milliseconds = run.milliseconds(fill, [&](cudaStream_t s) {
    kernels::radix_sort_keys(keys.data(), alternate.data(), count, kOrder, scratch.data(), s);
  });
  row.peers.push_back({"CUB radix", run.milliseconds(fill, [&](cudaStream_t s) { cub_sort(cub_scratch.data(), s); })});
  run.add(std::move(row));
}

template <class Key, class Value>
void bench_pairs(BenchRun& run, std::string_view operation, KeyDistribution distribution, std::uint64_t count) {
  if (!run.wants(operation)) return;
  constexpr auto kOrder = SortOrder::kAscending;
  const Array<Key> keys(count);
  const Array<Key> alternate(count);
  const Array<Value> values(count);
  const Array<Value> alternate_values(count);
  const DeviceBuffer scratch(radix_sort_scratch_bytes(count));
  std::size_t cub_bytes = 0;
  const auto cub_sort = [&](void* area, cudaStream_t s) {
    cub::DoubleBuffer<Key> buffers(keys.data(), alternate.data());
    cub::DoubleBuffer<Value> value_buffers(values.data(), alternate_values.data());
    check_cuda(cub::DeviceRadixSort::SortPairs(area, cub_bytes, buffers, value_buffers, count, 0, 8 * sizeof(Key), s),
               "CUB radix sort");
  };
  cub_sort(nullptr, run.stream());
  const DeviceBuffer cub_scratch(cub_bytes);

  const auto fill = [&](cudaStream_t s) {
    fill_numbers(distribution, kOrder, keys.data(), count, s);
    fill_positions(values.data(), count, s);
  };
  Measurement row{std::string(operation), distribution, count, radix_traffic_bytes<Key>(count, sizeof(Value))};
  row.milliseconds = run.milliseconds(fill, [&](cudaStream_t s) {
    kernels::radix_sort_pairs(keys.data(), alternate.data(), values.data(), alternate_values.data(), count, kOrder,
                              scratch.data(), s);
  });
  row.peers.push_back({"CUB radix", run.milliseconds(fill, [&](cudaStream_t s) { cub_sort(cub_scratch.data(), s); })});
  run.add(std::move(row));
}

}  // namespace

void bench_radix_sorts(BenchRun& run, KeyDistribution distribution, std::uint64_t count) {
  bench_pairs<std::uint32_t, std::uint64_t>(run, "radix u32+u64", distribution, count);
  bench_pairs<std::uint64_t, std::uint64_t>(run, "radix u64+u64", distribution, count);
  bench_keys<float>(run, "radix f32", distribution, count);
  bench_keys<std::int64_t>(run, "radix i64", distribution, count);
  bench_keys<std::uint64_t, SortOrder::kDescending>(run, "radix u64 descending", distribution, count);
  bench_pairs<float, std::uint32_t>(run, "radix f32+u32", distribution, count);
}

}  // namespace sortie::bench
