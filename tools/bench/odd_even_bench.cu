// The classic table of multi-block bubble sort: odd-even transposition of N floats on the GPU against the same
// algorithm on one host core. Published ratios are about the number of multiprocessors: 17 on 16, 30 on 30.
//
//   odd_even_bench
//
// The host takes time quadratic in N. So only the smallest N is sorted in full and compared item by item. For the
// others some phases are timed and scaled to the N phases that a sort takes, and the GPU's result is compared with
// that of std::sort.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <vector>

#include <cuda_runtime.h>

#include "device/copy.hpp"
#include "device/cuda_error.hpp"
#include "device/cuda_stream.hpp"
#include "device/device_memory.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/odd_even_sort.hpp"

namespace sortie::bench {
namespace {

constexpr std::size_t kSizes[] = {131072, 262144, 524288};
constexpr std::size_t kScaledPhases = 2000;
constexpr int kRepeats = 7;

std::vector<float> random_floats(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> floats(count);
  for (float& value : floats) value = uniform(random);
  return floats;
}

/// Runs phases 0, 1, ... of the sort on one core. Returns seconds.
double run_host_phases(std::vector<float>& floats, std::size_t phase_count) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t phase = 0; phase < phase_count; ++phase) {
    for (std::size_t i = phase % 2; i + 1 < floats.size(); i += 2) {
      const float low = std::min(floats[i], floats[i + 1]);
      floats[i + 1] = std::max(floats[i], floats[i + 1]);
      floats[i] = low;
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The device's result, and the median of its times without the copies.
struct DeviceSort {
  std::vector<float> sorted;
  double seconds;
};

DeviceSort sort_on_device(const std::vector<float>& floats) {
  const CudaStream stream;
  const std::uint64_t bytes = floats.size() * sizeof(float);
  const DeviceBuffer buffer(bytes);
  const DeviceBuffer scratch(kernels::odd_even_scratch_bytes(floats.size(), floats.size()));
  std::vector<double> seconds;
  for (int repeat = 0; repeat <= kRepeats; ++repeat) {
    copy_to_device(buffer.data(), floats.data(), bytes, stream);
    stream.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    kernels::odd_even_sort_keys(reinterpret_cast<float*>(buffer.data()), floats.size(), floats.size(), scratch.data(),
                                stream.handle());
    stream.synchronize();
    if (repeat > 0) {
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
  }
  std::ranges::nth_element(seconds, seconds.begin() + kRepeats / 2);
  DeviceSort result{std::vector<float>(floats.size()), seconds[kRepeats / 2]};
  copy_to_host(result.sorted.data(), buffer.data(), bytes, stream);
  stream.synchronize();
  return result;
}

bool bench(std::size_t count, bool in_full) {
  const std::vector<float> floats = random_floats(count);
  std::vector<float> expected = floats;
  const std::size_t phases = in_full ? count : kScaledPhases;
  const double host_seconds =
      run_host_phases(expected, phases) * static_cast<double>(count) / static_cast<double>(phases);
  if (!in_full) std::ranges::sort(expected);
  const DeviceSort device = sort_on_device(floats);
  const bool equal = device.sorted == expected;
  std::printf("%7zu   %9.3f s %-12s   %9.3f ms   %8.0f   %s\n", count, host_seconds, in_full ? "in full" : "scaled",
              device.seconds * 1e3, host_seconds / device.seconds,
              equal ? (in_full ? "equal to the host's" : "equal to std::sort's") : "WRONG");
  std::fflush(stdout);
  return equal;
}

int run() {
  std::printf("odd-even transposition sort of floats: one host core against %u multiprocessors, GPU median of %d\n",
              kernels::multiprocessor_count(), kRepeats);
  std::printf("host times marked 'scaled' are those of %zu phases times N / %zu\n\n", kScaledPhases, kScaledPhases);
  std::printf("      N   host                       GPU               ratio   result\n");
  bool all_equal = true;
  for (const std::size_t count : kSizes) all_equal = bench(count, count == kSizes[0]) && all_equal;
  return all_equal ? 0 : 1;
}

}  // namespace
}  // namespace sortie::bench

int main(int argument_count, char**) {
  if (argument_count > 1) {
    std::fprintf(stderr, "usage: odd_even_bench     without arguments\n");
    return 2;
  }
  try {
    return sortie::bench::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "odd_even_bench: %s\n", error.what());
    return 2;
  }
}
