// Sorts arrays of numbers from host memory to host memory, pinned and not, and prints GB of array per second. Times
// include all copies; CUDA and buffers are set up before. For pinned memory it also times what the links alone take
// without a sort: the same copies, first all to the GPUs, then all back, since the least number may come last.
//
// Then it does the same for other numbers, of fewer bytes each and of other distributions: these decide how many bytes
// of the result cross the link.
//
//   array_bench [LOG2_COUNT] [DEVICES] [THREADS]     as in `array_bench 31 1,2,4 8`; default: 31 1, all threads
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <sortie/sort_array.hpp>

#include "base/memory_region.hpp"
#include "base/size.hpp"
#include "cuda/arrays/array_plan.hpp"
#include "device/copy.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_info.hpp"
#include "device/device_memory.hpp"
#include "device/pinned_memory.hpp"

#include "bench_arguments.hpp"
#include "timed_arrays.hpp"

namespace {

using sortie::bench::Clock;
using sortie::bench::fill;
using sortie::bench::is_sorted_copy;
using sortie::bench::kRepeats;
using sortie::bench::median;
using sortie::bench::seconds_since;

std::uint64_t uniform(std::mt19937_64& random, std::size_t) { return random(); }

/// Draws from 1000 values.
std::uint64_t few_valued(std::mt19937_64& random, std::size_t) { return random() % 1000 * 0x9e3779b97f4a7c15ULL; }

/// Draws from 2^20 values; the probability of each is proportional to the reciprocal of its rank.
std::uint64_t zipf(std::mt19937_64& random, std::size_t) {
  const double share = static_cast<double>(random() >> 11) * 0x1p-53;
  return static_cast<std::uint64_t>(std::exp2(share * 20.0)) * 0x9e3779b97f4a7c15ULL;
}

std::uint64_t sorted(std::mt19937_64& random, std::size_t position) { return (position << 32) + (random() >> 32); }

/// Draws from 64 clusters of 2^40 values; every thousandth number may be anywhere.
std::uint64_t clustered(std::mt19937_64& random, std::size_t) {
  const std::uint64_t number = random();
  if (number % 1000 == 0) return random();
  return (number % 64 * 0x9e3779b97f4a7c15ULL) + (random() >> 24);
}

/// Copies one array to several GPUs and back.
class Links {
 public:
  struct Seconds {
    double up;
    double down;
  };

  Links(std::uint64_t count, int devices) : begins_(sortie::cuda::array_shares(count, static_cast<unsigned>(devices))) {
    for (int d = 0; d < devices; ++d) {
      sortie::select_device(d);
      ends_.push_back({sortie::DeviceBuffer(share_count(static_cast<std::size_t>(d)) * kNumberBytes), {}});
    }
  }

  Seconds copy(std::span<const std::uint64_t> input, std::span<std::uint64_t> output) {
    const auto begin = Clock::now();
    for_each_piece(sortie::cuda::array_chunk, [&](End& end, std::uint64_t at, std::uint64_t in_share, std::uint64_t n) {
      sortie::copy_to_device(end.memory.data() + in_share * kNumberBytes, &input[at], n * kNumberBytes, end.stream);
    });
    const double up = seconds_since(begin);
    for_each_piece(sortie::cuda::array_part, [&](End& end, std::uint64_t at, std::uint64_t in_share, std::uint64_t n) {
      sortie::copy_to_host(&output[at], end.memory.data() + in_share * kNumberBytes, n * kNumberBytes, end.stream);
    });
    return {up, seconds_since(begin) - up};
  }

 private:
  static constexpr std::uint64_t kNumberBytes = sizeof(std::uint64_t);
  struct End {
    sortie::DeviceBuffer memory;
    sortie::CudaStream stream;
  };

  std::uint64_t share_count(std::size_t d) const { return begins_[d + 1] - begins_[d]; }

  /// Queues the pieces of all shares, in the sizes that the sort uses, and waits for them.
  template <class PieceCount, class Copy>
  void for_each_piece(const PieceCount& piece_count, const Copy& copy) {
    for (std::size_t d = 0; d < ends_.size(); ++d) {
      sortie::select_device(static_cast<int>(d));
      const std::uint64_t piece = piece_count(share_count(d));
      for (std::uint64_t at = 0; at < share_count(d); at += piece) {
        copy(ends_[d], begins_[d] + at, at, std::min(piece, share_count(d) - at));
      }
    }
    for (const End& end : ends_) end.stream.synchronize();
  }

  std::vector<std::uint64_t> begins_;
  std::vector<End> ends_;
};

/// The seconds to the GPUs and back.
double bench_links(std::span<const std::uint64_t> input, std::span<std::uint64_t> output, int devices) {
  Links links(input.size(), devices);
  links.copy(input, output);
  std::vector<double> up;
  std::vector<double> down;
  for (int i = 0; i < kRepeats; ++i) {
    const Links::Seconds seconds = links.copy(input, output);
    up.push_back(seconds.up);
    down.push_back(seconds.down);
  }
  const double gigabytes = static_cast<double>(input.size_bytes()) * 1e-9;
  const double both = median(up) + median(down);
  std::printf("%-22s %d GPU  %8.4f s  %6.1f GB/s  H2D %.1f GB/s, D2H %.1f GB/s\n", "links", devices, both,
              gigabytes / both, gigabytes / median(up), gigabytes / median(down));
  std::fflush(stdout);
  return both;
}

struct Case {
  const char* name;
  int devices;
  unsigned threads;          ///< 0 for all
  double links_seconds = 0;  ///< 0 if not known
};

template <class Number>
void bench(const Case& row, std::span<const Number> input, std::span<Number> output) {
  const int devices = row.devices;
  sortie::ArrayOptions options;
  options.engine = sortie::EngineChoice::kGpu;
  options.threads = row.threads;
  for (int d = 0; d < devices; ++d) options.devices.push_back(d);
  sortie::ArraySorter sorter(options);
  sorter.template sort<Number>(input, output);
  std::vector<double> seconds;
  for (int i = 0; i < kRepeats; ++i) {
    const auto begin = Clock::now();
    sorter.template sort<Number>(input, output);
    seconds.push_back(seconds_since(begin));
  }
  const double taken = median(seconds);
  std::printf("%-22s %d GPU  %8.4f s  %6.1f GB/s  %s", row.name, devices, taken,
              static_cast<double>(input.size_bytes()) * 1e-9 / taken,
              is_sorted_copy<Number>(input, output) ? "sorted" : "WRONG");
  if (row.links_seconds > 0) std::printf(", %.0f%% of the links' speed", 100 * row.links_seconds / taken);
  std::printf("\n");
  std::fflush(stdout);
}

/// The memory of the 64-bit numbers, reused for as many numbers of another type.
template <class Number>
std::span<Number> as_numbers(std::span<std::byte> memory) {
  return {reinterpret_cast<Number*>(memory.data()), memory.size() / sizeof(std::uint64_t)};
}

template <class Number, class Make>
void bench_filled(const Case& row, std::span<std::byte> input, std::span<std::byte> output, const Make& make) {
  fill(as_numbers<Number>(input), make);
  bench<Number>(row, as_numbers<Number>(input), as_numbers<Number>(output));
}

void bench_pinned(std::span<std::byte> input, std::span<std::byte> output, const std::vector<int>& device_counts,
                  unsigned threads) {
  fill(as_numbers<std::uint64_t>(input), uniform);
  for (const int devices : device_counts) {
    const double links_seconds =
        bench_links(as_numbers<std::uint64_t>(input), as_numbers<std::uint64_t>(output), devices);
    bench<std::uint64_t>({"u64 uniform", devices, threads, links_seconds}, as_numbers<std::uint64_t>(input),
                         as_numbers<std::uint64_t>(output));
  }
  const int devices = device_counts.back();
  bench_filled<std::uint64_t>({"u64 few-valued", devices, threads}, input, output, few_valued);
  bench_filled<std::uint64_t>({"u64 Zipf", devices, threads}, input, output, zipf);
  bench_filled<std::uint64_t>({"u64 sorted", devices, threads}, input, output, sorted);
  bench_filled<std::uint64_t>({"u64 clustered", devices, threads}, input, output, clustered);
  bench_filled<std::int64_t>({"i64 uniform", devices, threads}, input, output, uniform);
  bench_filled<std::uint32_t>({"u32 uniform", devices, threads}, input, output, uniform);
  bench_filled<std::uint32_t>({"u32 Zipf", devices, threads}, input, output, zipf);
}

void bench(int log2_count, const std::vector<int>& device_counts, unsigned threads) {
  const std::size_t bytes = (std::size_t{1} << log2_count) * sizeof(std::uint64_t);
  {
    const sortie::PinnedBuffer input(bytes, 16);
    const sortie::PinnedBuffer output(bytes, 16);
    bench_pinned(input.bytes(), output.bytes(), device_counts, threads);
  }
  const sortie::MemoryRegion input(bytes);
  const sortie::MemoryRegion output(bytes);
  for (const int devices : device_counts) {
    bench_filled<std::uint64_t>({"u64 uniform, pageable", devices, threads}, input.bytes(), output.bytes(), uniform);
  }
}

}  // namespace

int main(int argument_count, char** given) {
  constexpr char kUsage[] =
      "array_bench [LOG2_COUNT] [DEVICES] [THREADS]     as in: array_bench 31 1,2,4 8; default: 31 1";
  return sortie::bench::run_bench(kUsage, 31, argument_count, given, [](const auto& arguments) {
    bench(arguments.log2_count, arguments.counts, static_cast<unsigned>(std::atoi(arguments.more.c_str())));
  });
}
