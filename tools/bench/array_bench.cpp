// Arrays of numbers sorted from host memory to host memory, pinned and not: GB of array per second, all copies
// included, CUDA and buffers up. Beside those of pinned memory what the links alone take if nothing is sorted: the
// same copies, first all to the GPUs, then all back, since the least number may come last.
//
//   array_bench [LOG2_COUNT] [DEVICES]     as in `array_bench 31 1,2,4`; default: 31 1
#include <cuda_runtime_api.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <sortie/sort_array.hpp>

#include "base/memory_region.hpp"
#include "device/copy.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_buffer.hpp"
#include "device/device_info.hpp"
#include "device/pinned_buffer.hpp"
#include "engine/gpu/array_plan.hpp"

namespace {

constexpr int kRepeats = 5;
constexpr std::size_t kSlice = 1 << 20;

using Clock = std::chrono::steady_clock;

void fill(std::span<std::uint64_t> numbers) {
  tbb::parallel_for(std::size_t{0}, (numbers.size() + kSlice - 1) / kSlice, [&](std::size_t slice) {
    std::mt19937_64 random(slice);
    for (std::size_t i = slice * kSlice; i < std::min(numbers.size(), (slice + 1) * kSlice); ++i) numbers[i] = random();
  });
}

/// Sum and order: a sum that differs or a descent means that the sort is wrong.
bool is_sorted_copy(std::span<const std::uint64_t> input, std::span<const std::uint64_t> output) {
  std::atomic<std::uint64_t> difference = 0;
  std::atomic<bool> ascends = true;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, input.size(), kSlice), [&](const auto& slice) {
    const auto in = input.subspan(slice.begin(), slice.size());
    const std::size_t before = slice.begin() > 0 ? 1 : 0;  // the seam is looked at too
    const auto out = output.subspan(slice.begin() - before, slice.size() + before);
    difference += std::accumulate(in.begin(), in.end(), std::uint64_t{0});
    difference -= std::accumulate(out.end() - static_cast<std::ptrdiff_t>(slice.size()), out.end(), std::uint64_t{0});
    if (!std::ranges::is_sorted(out)) ascends = false;
  });
  return ascends && difference == 0;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double median(std::vector<double> seconds) {
  std::ranges::nth_element(seconds, seconds.begin() + kRepeats / 2);
  return seconds[kRepeats / 2];
}

/// The ways of one array to several GPUs and back.
class Links {
 public:
  struct Seconds {
    double up;
    double down;
  };

  Links(std::uint64_t count, int devices) : begins_(sortie::gpu::array_shares(count, static_cast<unsigned>(devices))) {
    for (int d = 0; d < devices; ++d) {
      sortie::select_device(d);
      ends_.push_back({sortie::DeviceBuffer(share_count(static_cast<std::size_t>(d)) * kNumberBytes), {}});
    }
  }

  Seconds copy(std::span<const std::uint64_t> input, std::span<std::uint64_t> output) {
    const auto begin = Clock::now();
    for_each_piece(sortie::gpu::array_chunk, [&](End& end, std::uint64_t at, std::uint64_t in_share, std::uint64_t n) {
      sortie::copy_to_device(end.memory.data() + in_share * kNumberBytes, &input[at], n * kNumberBytes, end.stream);
    });
    const double up = seconds_since(begin);
    for_each_piece(sortie::gpu::array_part, [&](End& end, std::uint64_t at, std::uint64_t in_share, std::uint64_t n) {
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

  /// Queues the pieces of all shares, whose sizes are those of the sort, and waits for them.
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

/// Seconds there and back.
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
  std::printf("%-9s %d GPU  %8.4f s  %6.1f GB/s  H2D %.1f GB/s, D2H %.1f GB/s\n", "links", devices, both,
              gigabytes / both, gigabytes / median(up), gigabytes / median(down));
  std::fflush(stdout);
  return both;
}

/// `links_seconds`: 0 if not known.
void bench(const char* memory, std::span<const std::uint64_t> input, std::span<std::uint64_t> output, int devices,
           double links_seconds) {
  sortie::ArrayOptions options;
  options.engine = sortie::EngineChoice::kGpu;
  for (int d = 0; d < devices; ++d) options.devices.push_back(d);
  sortie::ArraySorter sorter(options);
  sorter.sort(input, output);
  std::vector<double> seconds;
  for (int i = 0; i < kRepeats; ++i) {
    const auto begin = Clock::now();
    sorter.sort(input, output);
    seconds.push_back(seconds_since(begin));
  }
  const double taken = median(seconds);
  std::printf("%-9s %d GPU  %8.4f s  %6.1f GB/s  %s", memory, devices, taken,
              static_cast<double>(input.size_bytes()) * 1e-9 / taken,
              is_sorted_copy(input, output) ? "sorted" : "WRONG");
  if (links_seconds > 0) std::printf(", %.0f%% of the links' speed", 100 * links_seconds / taken);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argument_count, char** arguments) {
  const int log2_count = argument_count > 1 ? std::atoi(arguments[1]) : 31;
  if (argument_count > 3 || log2_count < 1 || log2_count > 40) {
    std::fprintf(stderr, "usage: array_bench [LOG2_COUNT] [DEVICES]     as in: array_bench 31 1,2,4; default: 31 1\n");
    return 2;
  }
  try {
    const std::size_t count = std::size_t{1} << log2_count;
    std::istringstream list(argument_count > 2 ? arguments[2] : "1");
    const std::size_t bytes = count * sizeof(std::uint64_t);
    const auto numbers = [count](std::byte* memory) {
      return std::span(reinterpret_cast<std::uint64_t*>(memory), count);
    };
    std::vector<int> device_counts;
    for (std::string devices; std::getline(list, devices, ',');) device_counts.push_back(std::stoi(devices));
    {
      const sortie::PinnedBuffer input(bytes, 16);
      const sortie::PinnedBuffer output(bytes, 16);
      fill(numbers(input.data()));
      for (const int devices : device_counts) {
        const double links_seconds = bench_links(numbers(input.data()), numbers(output.data()), devices);
        bench("pinned", numbers(input.data()), numbers(output.data()), devices, links_seconds);
      }
    }
    const sortie::MemoryRegion input(bytes);
    const sortie::MemoryRegion output(bytes);
    fill(numbers(input.data()));
    for (const int devices : device_counts) {
      bench("pageable", numbers(input.data()), numbers(output.data()), devices, 0);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "array_bench: %s\n", error.what());
    return 2;
  }
}
