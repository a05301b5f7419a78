// Captures a sort into a CUDA graph, with scratch of its own, and replays it with new numbers: one launch each.
#include <cstdio>
#include <vector>

#include <cuda_runtime_api.h>

#include <sortie/cuda/device_radix_sort.hpp>

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU");
    return 0;
  }
  constexpr std::uint64_t kCount = 1 << 16;
  const std::size_t scratch_bytes = sortie::cuda::radix_sort_scratch_bytes(sortie::cuda::KeyType::kUint32, 0, kCount);
  cudaStream_t stream = nullptr;
  std::uint32_t* keys = nullptr;
  void* scratch = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(reinterpret_cast<void**>(&keys), kCount * sizeof(std::uint32_t));
  cudaMalloc(&scratch, scratch_bytes);

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t sort = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  const sortie::cuda::Status status = sortie::cuda::radix_sort(keys, kCount, sortie::cuda::Order::kAscending,
                                                               sortie::cuda::Scratch(scratch, scratch_bytes), stream);
  cudaStreamEndCapture(stream, &graph);
  if (!status.ok() || cudaGraphInstantiate(&sort, graph, 0) != cudaSuccess) {
    std::fprintf(stderr, "%s\n", status.message().c_str());
    return 2;
  }

  std::vector<std::uint32_t> numbers(kCount);
  for (std::uint32_t round = 1; round <= 3; ++round) {
    for (std::uint32_t i = 0; i < kCount; ++i) numbers[i] = i * 2'654'435'761U * round;
    cudaMemcpyAsync(keys, numbers.data(), kCount * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream);
    cudaGraphLaunch(sort, stream);
    cudaMemcpyAsync(numbers.data(), keys, kCount * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess) return 2;
    std::printf("%u ... %u\n", numbers.front(), numbers.back());
  }
  cudaGraphExecDestroy(sort);
  cudaGraphDestroy(graph);
  cudaFree(keys);
  cudaFree(scratch);
  cudaStreamDestroy(stream);
}
