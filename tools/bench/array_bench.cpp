// Arrays of numbers sorted from host memory to host memory, pinned and not: GB of array per second, all copies
// included, CUDA and buffers up. Beside it what the links alone would take if nothing were sorted.
//
//   array_bench [LOG2_COUNT=31] [DEVICES=1,2,4]
#include <cuda_runtime_api.h>
#include <tbb/parallel_for.h>

#include <algorithm>
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
#include "device/device_info.hpp"
#include "device/pinned_buffer.hpp"

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
  const auto sum = [](std::span<const std::uint64_t> numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
  };
  return std::ranges::is_sorted(output) && sum(input) == sum(output);
}

void bench(const char* memory, std::span<const std::uint64_t> input, std::span<std::uint64_t> output, int devices) {
  sortie::ArrayOptions options;
  options.engine = sortie::EngineChoice::kGpu;
  for (int d = 0; d < devices; ++d) options.devices.push_back(d);
  sortie::ArraySorter sorter(options);
  sorter.sort(input, output);
  std::vector<double> seconds;
  for (int i = 0; i < kRepeats; ++i) {
    const auto begin = Clock::now();
    sorter.sort(input, output);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  }
  std::ranges::nth_element(seconds, seconds.begin() + kRepeats / 2);
  const double median = seconds[kRepeats / 2];
  std::printf("%-9s %d GPU  %8.4f s  %6.1f GB/s  %s\n", memory, devices, median,
              static_cast<double>(input.size_bytes()) * 1e-9 / median,
              is_sorted_copy(input, output) ? "sorted" : "WRONG");
  std::fflush(stdout);
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    const std::size_t count = std::size_t{1} << (argument_count > 1 ? std::atoi(arguments[1]) : 31);
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
      for (const int devices : device_counts) bench("pinned", numbers(input.data()), numbers(output.data()), devices);
    }
    const sortie::MemoryRegion input(bytes);
    const sortie::MemoryRegion output(bytes);
    fill(numbers(input.data()));
    for (const int devices : device_counts) bench("pageable", numbers(input.data()), numbers(output.data()), devices);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "array_bench: %s\n", error.what());
    return 2;
  }
}
