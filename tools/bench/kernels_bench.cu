// Sorts and merges of this library beside CUB's, in one run on one machine: what a claim of speed rests on.
//
//   kernels_bench [LOG2_ITEMS ...]     default: 26 28
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <vector>

#include <cuda_runtime.h>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "base/size.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_buffer.hpp"
#include "kernels/merge.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/records.hpp"

namespace sortie::kernels {
namespace {

constexpr int kRepeats = 7;
using Work = std::function<void(cudaStream_t)>;

/// Uniform keys, from the position and a seed.
template <class Key>
__global__ void fill_uniform_kernel(Key* keys, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  std::uint64_t value = (i + 1) * 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  keys[i] = static_cast<Key>(value ^ (value >> 31));
}

template <class Key>
void fill_uniform(Key* keys, std::uint64_t count, cudaStream_t stream) {
  fill_uniform_kernel<<<static_cast<unsigned>(divide_up(count, 256)), 256, 0, stream>>>(keys, count);
  check_cuda(cudaGetLastError(), "filling keys");
}

template <class T>
struct Array {
  explicit Array(std::uint64_t count) : buffer(count * sizeof(T)) {}
  T* data() const { return reinterpret_cast<T*>(buffer.data()); }
  DeviceBuffer buffer;
};

/// Median over kRepeats, after one unmeasured round. `prepare` runs before each round, outside the time.
double median_milliseconds(const Work& prepare, const Work& work, cudaStream_t stream) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  check_cuda(cudaEventCreate(&begin), "cudaEventCreate");
  check_cuda(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int repeat = 0; repeat <= kRepeats; ++repeat) {
    prepare(stream);
    check_cuda(cudaEventRecord(begin, stream), "cudaEventRecord");
    work(stream);
    check_cuda(cudaEventRecord(end, stream), "cudaEventRecord");
    check_cuda(cudaEventSynchronize(end), "cudaEventSynchronize");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    if (repeat > 0) times.push_back(milliseconds);
  }
  check_cuda(cudaEventDestroy(begin), "cudaEventDestroy");
  check_cuda(cudaEventDestroy(end), "cudaEventDestroy");
  std::ranges::nth_element(times, times.begin() + kRepeats / 2);
  return times[kRepeats / 2];
}

void print_row(const char* name, unsigned log2_items, double ours, double theirs) {
  const double giga_items = static_cast<double>(std::uint64_t{1} << log2_items) * 1e-6;
  std::printf("%-24s 2^%u  %8.3f ms %7.2f Gitems/s   CUB %8.3f ms %7.2f Gitems/s   ratio %.2f\n", name, log2_items,
              ours, giga_items / ours, theirs, giga_items / theirs, theirs / ours);
  std::fflush(stdout);
}

template <class Key>
void bench_radix_keys(const char* name, unsigned log2_items, cudaStream_t stream) {
  const std::uint64_t count = std::uint64_t{1} << log2_items;
  const Array<Key> keys(count);
  const Array<Key> alternate(count);
  std::size_t cub_bytes = 0;
  cub::DoubleBuffer<Key> buffers(keys.data(), alternate.data());
  const int bits = 8 * sizeof(Key);
  check_cuda(cub::DeviceRadixSort::SortKeys(nullptr, cub_bytes, buffers, count, 0, bits, stream), "CUB scratch size");
  const DeviceBuffer cub_scratch(cub_bytes);
  const DeviceBuffer scratch(radix_sort_scratch_bytes(count));
  const Work fill = [&](cudaStream_t s) { fill_uniform(keys.data(), count, s); };
  const double ours = median_milliseconds(
      fill,
      [&](cudaStream_t s) {
        radix_sort_keys(keys.data(), alternate.data(), count, {0, 8 * sizeof(Key)}, scratch.data(), s);
      },
      stream);
  const double theirs = median_milliseconds(
      fill,
      [&](cudaStream_t s) {
        cub::DoubleBuffer<Key> fresh(keys.data(), alternate.data());
        check_cuda(cub::DeviceRadixSort::SortKeys(cub_scratch.data(), cub_bytes, fresh, count, 0, bits, s), "CUB sort");
      },
      stream);
  print_row(name, log2_items, ours, theirs);
}

template <class Key, class Value>
void bench_radix_pairs(const char* name, unsigned log2_items, cudaStream_t stream) {
  const std::uint64_t count = std::uint64_t{1} << log2_items;
  const Array<Key> keys(count);
  const Array<Key> alternate(count);
  const Array<Value> values(count);
  const Array<Value> alternate_values(count);
  std::size_t cub_bytes = 0;
  cub::DoubleBuffer<Key> buffers(keys.data(), alternate.data());
  cub::DoubleBuffer<Value> value_buffers(values.data(), alternate_values.data());
  const int bits = 8 * sizeof(Key);
  check_cuda(cub::DeviceRadixSort::SortPairs(nullptr, cub_bytes, buffers, value_buffers, count, 0, bits, stream),
             "CUB scratch size");
  const DeviceBuffer cub_scratch(cub_bytes);
  const DeviceBuffer scratch(radix_sort_scratch_bytes(count));
  const Work fill = [&](cudaStream_t s) {
    fill_uniform(keys.data(), count, s);
    fill_uniform(values.data(), count, s);
  };
  const double ours = median_milliseconds(
      fill,
      [&](cudaStream_t s) {
        radix_sort_pairs(keys.data(), alternate.data(), values.data(), alternate_values.data(), count,
                         {0, 8 * sizeof(Key)}, scratch.data(), s);
      },
      stream);
  const double theirs = median_milliseconds(
      fill,
      [&](cudaStream_t s) {
        cub::DoubleBuffer<Key> fresh(keys.data(), alternate.data());
        cub::DoubleBuffer<Value> fresh_values(values.data(), alternate_values.data());
        check_cuda(
            cub::DeviceRadixSort::SortPairs(cub_scratch.data(), cub_bytes, fresh, fresh_values, count, 0, bits, s),
            "CUB sort");
      },
      stream);
  print_row(name, log2_items, ours, theirs);
}

/// Two halves of the items, each sorted.
void bench_merge_pairs(unsigned log2_items, cudaStream_t stream) {
  const std::uint64_t count = std::uint64_t{1} << log2_items;
  const std::uint64_t half = count / 2;
  const Array<std::uint64_t> keys(count);
  const Array<std::uint64_t> merged(count);
  const Array<std::uint32_t> values(count);
  const Array<std::uint32_t> merged_values(count);
  const Array<std::uint64_t> offsets(3);
  const std::uint64_t host_offsets[] = {0, half, count};
  check_cuda(cudaMemcpyAsync(offsets.data(), host_offsets, sizeof host_offsets, cudaMemcpyDefault, stream), "offsets");
  fill_uniform(keys.data(), count, stream);
  fill_uniform(values.data(), count, stream);
  const DeviceBuffer scratch(std::max(radix_sort_scratch_bytes(count), merge_scratch_bytes(count, 2)));
  for (const std::uint64_t begin : {std::uint64_t{0}, half}) {
    radix_sort_pairs(keys.data() + begin, merged.data(), values.data() + begin, merged_values.data(), half, {0, 64},
                     scratch.data(), stream);
  }
  std::size_t cub_bytes = 0;
  const auto cub_merge = [&](void* area, cudaStream_t s) {
    check_cuda(cub::DeviceMerge::MergePairs(area, cub_bytes, keys.data(), values.data(), half, keys.data() + half,
                                            values.data() + half, half, merged.data(), merged_values.data(), {}, s),
               "CUB merge");
  };
  cub_merge(nullptr, stream);
  const DeviceBuffer cub_scratch(cub_bytes);
  const Work nothing = [](cudaStream_t) {};
  const double ours = median_milliseconds(
      nothing,
      [&](cudaStream_t s) {
        merge_pass(PrefixPairs{keys.data(), values.data()}, PrefixPairs{merged.data(), merged_values.data()},
                   {offsets.data(), 2, count}, 0, nullptr, scratch.data(), s);
      },
      stream);
  const double theirs = median_milliseconds(
      nothing, [&](cudaStream_t s) { cub_merge(cub_scratch.data(), s); }, stream);
  print_row("merge u64 + u32", log2_items, ours, theirs);
}

template <class Key>
void bench_merge_keys(const char* name, unsigned log2_items, cudaStream_t stream) {
  const std::uint64_t count = std::uint64_t{1} << log2_items;
  const std::uint64_t half = count / 2;
  const Array<Key> keys(count);
  const Array<Key> merged(count);
  const Array<std::uint64_t> offsets(3);
  const std::uint64_t host_offsets[] = {0, half, count};
  check_cuda(cudaMemcpyAsync(offsets.data(), host_offsets, sizeof host_offsets, cudaMemcpyDefault, stream), "offsets");
  fill_uniform(keys.data(), count, stream);
  const DeviceBuffer scratch(std::max(radix_sort_scratch_bytes(count), merge_scratch_bytes(count, 2)));
  for (const std::uint64_t begin : {std::uint64_t{0}, half}) {
    radix_sort_keys(keys.data() + begin, merged.data(), half, {0, 8 * sizeof(Key)}, scratch.data(), stream);
  }
  std::size_t cub_bytes = 0;
  const auto cub_merge = [&](void* area, cudaStream_t s) {
    check_cuda(
        cub::DeviceMerge::MergeKeys(area, cub_bytes, keys.data(), half, keys.data() + half, half, merged.data(), {}, s),
        "CUB merge");
  };
  cub_merge(nullptr, stream);
  const DeviceBuffer cub_scratch(cub_bytes);
  const Work nothing = [](cudaStream_t) {};
  const double ours = median_milliseconds(
      nothing,
      [&](cudaStream_t s) {
        merge_pass(keys.data(), merged.data(), {offsets.data(), 2, count}, 0, scratch.data(), s);
      },
      stream);
  const double theirs = median_milliseconds(
      nothing, [&](cudaStream_t s) { cub_merge(cub_scratch.data(), s); }, stream);
  print_row(name, log2_items, ours, theirs);
}

/// Records of 100 bytes by random index; beside it a plain copy of as many bytes.
void bench_gather(unsigned log2_items, cudaStream_t stream) {
  const std::uint64_t count = std::uint64_t{1} << log2_items;
  const Array<std::byte> records(count * 100);
  const Array<std::byte> gathered(count * 100);
  const Array<std::uint32_t> indices(count);
  const Array<std::uint32_t> keys(count);
  const Array<std::uint32_t> alternate(count);
  const Array<std::uint32_t> alternate_indices(count);
  const DeviceBuffer scratch(radix_sort_scratch_bytes(count));
  fill_uniform(keys.data(), count, stream);
  RecordKeys any{};
  any.record_bytes = 100;
  any.records = records.data();
  const Array<std::uint64_t> prefixes(count);
  extract_prefixes(any, 0, count, {prefixes.data(), indices.data()}, stream);
  radix_sort_pairs(keys.data(), alternate.data(), indices.data(), alternate_indices.data(), count, {0, 32},
                   scratch.data(), stream);
  const Work nothing = [](cudaStream_t) {};
  const double ours = median_milliseconds(
      nothing, [&](cudaStream_t s) { gather_fixed(records.data(), 100, indices.data(), count, gathered.data(), s); },
      stream);
  const double copy = median_milliseconds(
      nothing,
      [&](cudaStream_t s) {
        check_cuda(cudaMemcpyAsync(gathered.data(), records.data(), count * 100, cudaMemcpyDeviceToDevice, s), "copy");
      },
      stream);
  const double gigabytes = static_cast<double>(count) * 100 * 1e-6;
  std::printf("%-24s 2^%u  %8.3f ms %7.0f GB/s of records   copy %8.3f ms %7.0f GB/s   ratio %.2f\n", "gather 100 B",
              log2_items, ours, gigabytes / ours, copy, gigabytes / copy, copy / ours);
}

void bench(unsigned log2_items) {
  const CudaStream stream;
  bench_radix_pairs<std::uint64_t, std::uint32_t>("radix u64 + u32", log2_items, stream.handle());
  bench_radix_keys<std::uint32_t>("radix u32", log2_items, stream.handle());
  bench_radix_keys<std::uint64_t>("radix u64", log2_items, stream.handle());
  bench_radix_pairs<std::uint32_t, std::uint32_t>("radix u32 + u32", log2_items, stream.handle());
  bench_radix_pairs<std::uint64_t, std::uint64_t>("radix u64 + u64", log2_items, stream.handle());
  bench_merge_pairs(log2_items, stream.handle());
  bench_merge_keys<std::uint32_t>("merge u32", log2_items, stream.handle());
  bench_merge_keys<std::uint64_t>("merge u64", log2_items, stream.handle());
  if (log2_items <= 28) bench_gather(log2_items, stream.handle());
}

}  // namespace
}  // namespace sortie::kernels

int main(int argument_count, char** arguments) {
  try {
    std::vector<unsigned> sizes;
    for (int i = 1; i < argument_count; ++i) sizes.push_back(static_cast<unsigned>(std::atoi(arguments[i])));
    if (sizes.empty()) sizes = {26, 28};
    for (const unsigned log2_items : sizes) sortie::kernels::bench(log2_items);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernels_bench: %s\n", error.what());
    return 2;
  }
}
