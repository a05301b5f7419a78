// The segmented sort beside cub::DeviceSegmentedSort, in one run: uniform items in segments of equal or of random
// length.
//
//   segmented_bench [LOG2_ITEMS]     default: 24
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <random>
#include <vector>

#include <cub/device/device_segmented_sort.cuh>

#include "bench/kernels/device_event.hpp"
#include "bench/kernels/key_fill.hpp"
#include "device/copy.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_buffer.hpp"
#include "kernels/segmented_sort.hpp"

namespace sortie::bench {
namespace {

using namespace kernels;

constexpr int kRepeats = 9;
using Work = std::function<void(cudaStream_t)>;

/// The median time of `work`, after one warm-up round. `prepare` runs before each round and is not timed.
double median_milliseconds(const CudaStream& stream, const Work& prepare, const Work& work) {
  const DeviceEvent begin;
  const DeviceEvent end;
  std::vector<double> times;
  for (int repeat = 0; repeat <= kRepeats; ++repeat) {
    prepare(stream.handle());
    begin.record(stream.handle());
    work(stream.handle());
    end.record(stream.handle());
    const double milliseconds = end.milliseconds_since(begin);
    if (repeat > 0) times.push_back(milliseconds);
  }
  std::ranges::nth_element(times, times.begin() + kRepeats / 2);
  return times[kRepeats / 2];
}

/// Segments on the device. Together they hold all items.
class BenchSegments {
 public:
  BenchSegments(const std::vector<std::uint64_t>& offsets, const CudaStream& stream)
      : offsets_(offsets.size()), segments_{offsets_.data(), offsets.size() - 1, offsets.back()} {
    copy_to_device(offsets_.data(), offsets.data(), offsets.size() * sizeof offsets[0], stream);
    stream.synchronize();
  }
  const Segments& segments() const { return segments_; }

 private:
  Array<std::uint64_t> offsets_;
  Segments segments_;
};

/// Draws lengths from [low, high]; the last segment takes the rest.
std::vector<std::uint64_t> make_offsets(std::uint64_t item_count, std::uint64_t low, std::uint64_t high) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> offsets = {0};
  while (offsets.back() < item_count) {
    offsets.push_back(std::min(item_count, offsets.back() + low + random() % (high - low + 1)));
  }
  return offsets;
}

void print_row(const char* type, const char* lengths, std::uint64_t count, double ours, double cub) {
  const double items = static_cast<double>(count) * 1e-6;
  std::printf("%-10s %-8s %9.1f us %7.1f Gitems/s   CUB %9.1f us   ratio %.2f\n", type, lengths, ours * 1e3,
              items / ours, cub * 1e3, cub / ours);
  std::fflush(stdout);
}

/// One of CUB's sorts. Without an area it only says how many bytes of scratch it needs.
using CubSort = std::function<void(void* area, std::size_t& bytes, cudaStream_t stream)>;

double cub_milliseconds(const CudaStream& stream, const Work& prepare, const CubSort& sort) {
  std::size_t bytes = 0;
  sort(nullptr, bytes, stream.handle());
  const DeviceBuffer scratch(bytes);
  return median_milliseconds(stream, prepare, [&](cudaStream_t s) { sort(scratch.data(), bytes, s); });
}

template <class Key>
void bench_keys(const char* type, const char* lengths, const Segments& segments, const CudaStream& stream) {
  const std::uint64_t count = segments.item_count;
  const Array<Key> keys(count);
  const Array<Key> alternate(count);
  const DeviceBuffer scratch(segmented_sort_scratch_bytes(segments));
  const Work prepare = [&](cudaStream_t s) { fill_keys(KeyDistribution::kUniform, keys.data(), count, s); };
  const double ours = median_milliseconds(stream, prepare, [&](cudaStream_t s) {
    segmented_sort_keys(keys.data(), segments, SortOrder::kAscending, scratch.data(), s);
  });
  const double cub = cub_milliseconds(stream, prepare, [&](void* area, std::size_t& bytes, cudaStream_t s) {
    cub::DoubleBuffer<Key> buffers(keys.data(), alternate.data());
    check_cuda(cub::DeviceSegmentedSort::SortKeys(area, bytes, buffers, static_cast<std::int64_t>(count),
                                                  static_cast<std::int64_t>(segments.segment_count), segments.offsets,
                                                  segments.offsets + 1, s),
               "CUB sort");
  });
  print_row(type, lengths, count, ours, cub);
}

template <class Key, class Value>
void bench_pairs(const char* type, const char* lengths, const Segments& segments, const CudaStream& stream) {
  const std::uint64_t count = segments.item_count;
  const Array<Key> keys(count);
  const Array<Key> alternate(count);
  const Array<Value> values(count);
  const Array<Value> alternate_values(count);
  const DeviceBuffer scratch(segmented_sort_scratch_bytes(segments));
  const Work prepare = [&](cudaStream_t s) {
    fill_keys(KeyDistribution::kUniform, keys.data(), count, s);
    fill_keys(KeyDistribution::kUniform, values.data(), count, s);
  };
  const double ours = median_milliseconds(stream, prepare, [&](cudaStream_t s) {
    segmented_sort_pairs(keys.data(), values.data(), segments, SortOrder::kAscending, scratch.data(), s);
  });
  const double cub = cub_milliseconds(stream, prepare, [&](void* area, std::size_t& bytes, cudaStream_t s) {
    cub::DoubleBuffer<Key> buffers(keys.data(), alternate.data());
    cub::DoubleBuffer<Value> value_buffers(values.data(), alternate_values.data());
    check_cuda(cub::DeviceSegmentedSort::SortPairs(
                   area, bytes, buffers, value_buffers, static_cast<std::int64_t>(count),
                   static_cast<std::int64_t>(segments.segment_count), segments.offsets, segments.offsets + 1, s),
               "CUB sort");
  });
  print_row(type, lengths, count, ours, cub);
}

int run(int argument_count, char** arguments) {
  const int log2_items = argument_count > 1 ? std::atoi(arguments[1]) : 24;
  if (argument_count > 2 || log2_items < 1 || log2_items > 30) {
    std::fprintf(stderr, "usage: segmented_bench [LOG2_ITEMS]     1 to 30; default: 24\n");
    return 2;
  }
  const std::uint64_t count = std::uint64_t{1} << log2_items;
  struct Lengths {
    const char* name;
    std::uint64_t low;
    std::uint64_t high;
  };
  const CudaStream stream;
  for (const Lengths& lengths :
       {Lengths{"8", 8, 8}, Lengths{"32", 32, 32}, Lengths{"100", 100, 100}, Lengths{"0-200", 0, 200},
        Lengths{"1000", 1000, 1000}, Lengths{"4000", 4000, 4000}, Lengths{"100000", 100'000, 100'000}}) {
    const BenchSegments segments(make_offsets(count, lengths.low, lengths.high), stream);
    bench_keys<std::uint32_t>("u32", lengths.name, segments.segments(), stream);
    bench_keys<std::uint64_t>("u64", lengths.name, segments.segments(), stream);
    bench_pairs<std::uint32_t, std::uint32_t>("u32 + u32", lengths.name, segments.segments(), stream);
    bench_pairs<std::uint64_t, std::uint64_t>("u64 + u64", lengths.name, segments.segments(), stream);
  }
  return 0;
}

}  // namespace
}  // namespace sortie::bench

int main(int argument_count, char** arguments) {
  try {
    return sortie::bench::run(argument_count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "segmented_bench: %s\n", error.what());
    return 2;
  }
}
