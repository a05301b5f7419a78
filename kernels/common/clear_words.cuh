// Sets scratch to zero in a launch that the kernel behind it overlaps, which cannot begin before a cudaMemsetAsync()
// has ended. For sorts and selections whose kernels are short.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"

namespace sortie::kernels {

inline constexpr unsigned kClearThreads = 512;

template <unsigned kThreads>
__global__ void __launch_bounds__(kThreads) clear_words_kernel(std::uint64_t* words, std::uint64_t count) {
  await_launch_before();
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) words[i] = 0;
}

/// Clears an area of scratch, of a multiple of 8 bytes. Throws Error that names `name` if the launch is refused.
inline void clear_words(void* area, std::uint64_t bytes, const char* name, cudaStream_t stream) {
  const std::uint64_t words = bytes / sizeof(std::uint64_t);
  clear_words_kernel<kClearThreads><<<grid_of_tiles(divide_up(words, kClearThreads)), kClearThreads, 0, stream>>>(
      static_cast<std::uint64_t*>(area), words);
  check_launch(name);
}

}  // namespace sortie::kernels
