// Sorts numbers and their positions on the GPU, with scratch from CUDA's own pool, and prints the first few.
#include <cstdio>
#include <random>
#include <vector>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_radix_sort.hpp>

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU");
    return 0;
  }
  std::vector<float> numbers(1'000'000);
  std::mt19937 random(1);
  for (float& number : numbers) number = std::normal_distribution<float>()(random);
  const std::size_t bytes = numbers.size() * sizeof(float);

  cudaStream_t stream = nullptr;
  float* keys = nullptr;
  std::int64_t* positions = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMallocAsync(reinterpret_cast<void**>(&keys), bytes, stream);
  cudaMallocAsync(reinterpret_cast<void**>(&positions), numbers.size() * sizeof(std::int64_t), stream);
  cudaMemcpyAsync(keys, numbers.data(), bytes, cudaMemcpyHostToDevice, stream);

  sortie::cuda::StreamAllocator allocator;
  const sortie::cuda::Status status =
      sortie::cuda::argsort(keys, positions, numbers.size(), sortie::cuda::Order::kAscending, allocator, stream);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message().c_str());
    return 2;
  }
  std::int64_t first[3];
  cudaMemcpyAsync(first, positions, sizeof(first), cudaMemcpyDeviceToHost, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 2;
  for (const std::int64_t position : first) std::printf("%f\n", numbers[position]);
  cudaFreeAsync(keys, stream);
  cudaFreeAsync(positions, stream);
  cudaStreamDestroy(stream);
}
