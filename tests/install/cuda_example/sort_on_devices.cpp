// Sorts numbers that are spread over all GPUs, so that each GPU ends with its range of the whole; then an array of the
// host's by all GPUs. Prints the ranges.
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_shards.hpp>
#include <sortie/cuda/host_arrays.hpp>

namespace {

std::vector<double> draw(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = std::normal_distribution<double>()(random);
  return numbers;
}

bool succeeds(const sortie::cuda::Status& status) {
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok();
}

bool sort_where_they_are(int devices) {
  constexpr std::size_t kCount = 1'000'000;
  sortie::cuda::StreamAllocator allocator;
  std::vector<sortie::cuda::Shard> shards;
  for (int device = 0; device < devices; ++device) {
    cudaStream_t stream = nullptr;
    double* keys = nullptr;
    const std::vector<double> numbers = draw(kCount, static_cast<unsigned>(device));
    cudaSetDevice(device);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(reinterpret_cast<void**>(&keys), kCount * sizeof(double));
    cudaMemcpyAsync(keys, numbers.data(), kCount * sizeof(double), cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    shards.push_back({device, keys, {}, kCount, allocator, stream});
  }
  if (!succeeds(sortie::cuda::sort_shards(shards, sortie::cuda::Order::kAscending))) return false;
  for (const sortie::cuda::Shard& shard : shards) {
    double ends[2];
    const auto* const keys = static_cast<const double*>(shard.keys.data);
    cudaSetDevice(shard.device);
    cudaMemcpyAsync(&ends[0], keys, sizeof(double), cudaMemcpyDeviceToHost, shard.stream);
    cudaMemcpyAsync(&ends[1], keys + kCount - 1, sizeof(double), cudaMemcpyDeviceToHost, shard.stream);
    if (cudaStreamSynchronize(shard.stream) != cudaSuccess) return false;
    std::printf("GPU %d: %f to %f\n", shard.device, ends[0], ends[1]);
    cudaFree(shard.keys.data);
    cudaStreamDestroy(shard.stream);
  }
  return true;
}

bool sort_host_numbers(int device_count) {
  std::vector<double> numbers = draw(3'000'000, 7);
  std::vector<int> devices(static_cast<std::size_t>(device_count));
  std::iota(devices.begin(), devices.end(), 0);
  const sortie::cuda::HostSortResources resources{devices};
  if (!succeeds(
          sortie::cuda::sort_host_array(numbers.data(), numbers.size(), sortie::cuda::Order::kDescending, resources))) {
    return false;
  }
  std::printf("host: %f to %f\n", numbers.front(), numbers.back());
  return true;
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU");
    return 0;
  }
  return sort_where_they_are(devices) && sort_host_numbers(devices) ? 0 : 2;
}
