// The sorts of the family that are not the fastest, beside CUB's merge sort, and the checks beside a copy of as
// many bytes: all in one run on one machine.
//
//   algorithms_bench [LOG2_ITEMS]     default: 26
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <vector>

#include <cuda_runtime.h>
#include <cub/device/device_merge_sort.cuh>

#include "device/copy.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_buffer.hpp"
#include "kernels/check_order.hpp"
#include "kernels/checksum_records.hpp"
#include "kernels/launch.hpp"
#include "kernels/merge_sort.hpp"
#include "kernels/odd_even_sort.hpp"
#include "kernels/split_radix_sort.hpp"

namespace sortie::bench {
namespace {

using namespace kernels;

constexpr int kRepeats = 7;
constexpr std::uint64_t kOddEvenList = 1 << 16;
constexpr std::uint64_t kMostOddEvenItems = 1 << 22;  ///< beyond, it takes seconds a round
using Work = std::function<void(cudaStream_t)>;

template <class T>
struct Array {
  explicit Array(std::uint64_t count) : buffer(count * sizeof(T)) {}
  T* data() const { return reinterpret_cast<T*>(buffer.data()); }
  DeviceBuffer buffer;
};

template <class Key>
__global__ void fill_uniform_kernel(Key* keys, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  std::uint64_t value = (i + 1) * 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  keys[i] = static_cast<Key>(value ^ (value >> 31));
}

template <class Key>
__global__ void fill_ascending_kernel(Key* keys, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) keys[i] = static_cast<Key>(i);
}

template <class Key>
void fill_ascending(Key* keys, std::uint64_t count, cudaStream_t stream) {
  fill_ascending_kernel<<<grid_of_tiles(divide_up(count, 256)), 256, 0, stream>>>(keys, count);
  check_launch("filling keys");
}

template <class Key>
void fill_uniform(Key* keys, std::uint64_t count, cudaStream_t stream) {
  fill_uniform_kernel<<<grid_of_tiles(divide_up(count, 256)), 256, 0, stream>>>(keys, count);
  check_launch("filling keys");
}

/// Median, after one round that does not count. `prepare` runs before each round, outside the time.
double median_milliseconds(const CudaStream& stream, const Work& prepare, const Work& work) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  check_cuda(cudaEventCreate(&begin), "cudaEventCreate");
  check_cuda(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int repeat = 0; repeat <= kRepeats; ++repeat) {
    prepare(stream.handle());
    check_cuda(cudaEventRecord(begin, stream.handle()), "cudaEventRecord");
    work(stream.handle());
    check_cuda(cudaEventRecord(end, stream.handle()), "cudaEventRecord");
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

void print_sort(const char* name, std::uint64_t count, double milliseconds, double cub_milliseconds) {
  const double items = static_cast<double>(count) * 1e-6;
  std::printf("%-34s %9.3f ms %7.2f Gitems/s   CUB merge sort %7.2f   ratio %.2f\n", name, milliseconds,
              items / milliseconds, items / cub_milliseconds, cub_milliseconds / milliseconds);
  std::fflush(stdout);
}

struct Less {
  template <class Key>
  __device__ bool operator()(Key a, Key b) const {
    return a < b;
  }
};

template <class Key>
void bench_key_sorts(const char* type, std::uint64_t count, const CudaStream& stream) {
  const Array<Key> keys(count);
  const Array<Key> alternate(count);
  std::size_t cub_bytes = 0;
  check_cuda(cub::DeviceMergeSort::SortKeys(nullptr, cub_bytes, keys.data(), count, Less{}, stream.handle()), "CUB");
  const DeviceBuffer scratch(
      std::max({std::uint64_t{cub_bytes}, merge_sort_scratch_bytes(count), split_radix_scratch_bytes(count)}));
  const Work fill = [&](cudaStream_t s) { fill_uniform(keys.data(), count, s); };
  const double cub = median_milliseconds(stream, fill, [&](cudaStream_t s) {
    check_cuda(cub::DeviceMergeSort::SortKeys(scratch.data(), cub_bytes, keys.data(), count, Less{}, s), "CUB");
  });
  const auto row = [&](const char* name, const Work& work) {
    char text[64];
    std::snprintf(text, sizeof text, "%s, %s", name, type);
    print_sort(text, count, median_milliseconds(stream, fill, work), cub);
  };
  row("merge sort", [&](cudaStream_t s) { merge_sort_keys(keys.data(), alternate.data(), count, scratch.data(), s); });
  row("split radix sort",
      [&](cudaStream_t s) { split_radix_sort_keys(keys.data(), alternate.data(), count, scratch.data(), s); });
}

void bench_pair_sorts(std::uint64_t count, const CudaStream& stream) {
  const Array<std::uint64_t> keys(count);
  const Array<std::uint64_t> alternate(count);
  const Array<std::uint32_t> values(count);
  const Array<std::uint32_t> alternate_values(count);
  std::size_t cub_bytes = 0;
  const auto cub_sort = [&](void* area, cudaStream_t s) {
    check_cuda(cub::DeviceMergeSort::SortPairs(area, cub_bytes, keys.data(), values.data(), count, Less{}, s), "CUB");
  };
  cub_sort(nullptr, stream.handle());
  const DeviceBuffer scratch(
      std::max({std::uint64_t{cub_bytes}, merge_sort_scratch_bytes(count), split_radix_scratch_bytes(count)}));
  const PrefixPairs pairs{keys.data(), values.data()};
  const PrefixPairs others{alternate.data(), alternate_values.data()};
  const Work fill = [&](cudaStream_t s) { fill_uniform(keys.data(), count, s); };
  const double cub = median_milliseconds(stream, fill, [&](cudaStream_t s) { cub_sort(scratch.data(), s); });
  print_sort(
      "merge sort, u64 + u32", count,
      median_milliseconds(stream, fill,
                          [&](cudaStream_t s) { merge_sort_pairs(pairs, others, count, nullptr, scratch.data(), s); }),
      cub);
  print_sort(
      "split radix sort, u64 + u32", count,
      median_milliseconds(stream, fill,
                          [&](cudaStream_t s) { split_radix_sort_pairs(pairs, others, count, scratch.data(), s); }),
      cub);
}

/// The copy reads and writes what the check only reads.
void bench_checks(std::uint64_t count, const CudaStream& stream) {
  const std::uint64_t bytes = count * 16;
  const Array<std::byte> data(bytes);
  const Array<std::byte> copied(bytes);
  const Array<OrderCheck> check(1);
  const Array<Checksum> sum(1);
  const Work nothing = [](cudaStream_t) {};
  auto* narrow = reinterpret_cast<std::uint32_t*>(data.data());
  auto* wide = reinterpret_cast<std::uint64_t*>(data.data());
  const double copy = median_milliseconds(
      stream, nothing, [&](cudaStream_t) { copy_on_device(copied.data(), data.data(), bytes, stream); });
  const auto row = [&](const char* name, const Work& work) {
    const double milliseconds = median_milliseconds(stream, nothing, work);
    const double gigabytes = static_cast<double>(bytes) * 1e-6;
    std::printf("%-34s %9.3f ms %7.0f GB/s read     copy %7.0f GB/s   ratio %.2f\n", name, milliseconds,
                gigabytes / milliseconds, gigabytes / copy, copy / milliseconds);
  };
  fill_ascending(narrow, bytes / 4, stream.handle());
  row("order check, u32", [&](cudaStream_t s) { check_order(narrow, bytes / 4, check.data(), s); });
  fill_ascending(wide, bytes / 8, stream.handle());
  row("order check, u64", [&](cudaStream_t s) { check_order(wide, bytes / 8, check.data(), s); });
  row("checksum, u32", [&](cudaStream_t s) { add_number_checksum(narrow, bytes / 4, sum.data(), s); });
  row("checksum, u64", [&](cudaStream_t s) { add_number_checksum(wide, bytes / 8, sum.data(), s); });
  for (const std::uint64_t record_bytes : {16, 64, 100, 128, 200, 256, 500}) {
    char name[64];
    std::snprintf(name, sizeof name, "checksum, records of %d bytes", static_cast<int>(record_bytes));
    row(name,
        [&](cudaStream_t s) { add_record_checksum(data.data(), record_bytes, bytes / record_bytes, sum.data(), s); });
  }
}

/// The time per item, which lists of a fixed length make the same for any count.
template <class Key>
void bench_odd_even(const char* type, std::uint64_t count, const CudaStream& stream) {
  const Array<Key> keys(count);
  const DeviceBuffer scratch(odd_even_scratch_bytes(count, kOddEvenList));
  const double milliseconds = median_milliseconds(
      stream, [&](cudaStream_t s) { fill_uniform(keys.data(), count, s); },
      [&](cudaStream_t s) { odd_even_sort_keys(keys.data(), count, kOddEvenList, scratch.data(), s); });
  std::printf("odd-even, lists of 64 Ki, %s      %9.3f ms %7.3f Gitems/s   %.0f items\n", type, milliseconds,
              static_cast<double>(count) * 1e-6 / milliseconds, static_cast<double>(count));
  std::fflush(stdout);
}

void run(unsigned log2_items) {
  const CudaStream stream;
  const std::uint64_t count = std::uint64_t{1} << log2_items;
  std::printf("2^%u uniform items, median of %d\n", log2_items, kRepeats);
  bench_key_sorts<std::uint32_t>("u32", count, stream);
  bench_key_sorts<std::uint64_t>("u64", count, stream);
  bench_pair_sorts(count, stream);
  bench_odd_even<std::uint32_t>("u32", std::min(count, kMostOddEvenItems), stream);
  bench_odd_even<std::uint64_t>("u64", std::min(count, kMostOddEvenItems), stream);
  bench_checks(count, stream);
}

}  // namespace
}  // namespace sortie::bench

int main(int argument_count, char** arguments) {
  try {
    sortie::bench::run(argument_count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 26);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "algorithms_bench: %s\n", error.what());
    return 2;
  }
}
