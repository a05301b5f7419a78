// Keys with repeats: uniform numbers below a limit.
#pragma once

#include <cstdint>

#include "bench/cuda_functions/function_case.cuh"
#include "bench/kernels/key_fill.hpp"
#include "kernels/common/launch.hpp"

namespace sortie::bench {

template <class Key>
__global__ void cut_keys_kernel(Key* keys, std::uint64_t count, Key limit) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) keys[i] %= limit;
}

/// Fills an array with uniform numbers below `limit`, sorted.
template <class Key>
void fill_sorted_below(Key limit, Key* keys, std::uint64_t count, cudaStream_t stream) {
  constexpr unsigned kBlocks = 1024;
  constexpr unsigned kThreads = 256;
  fill_keys(KeyDistribution::kUniform, keys, count, stream);
  cut_keys_kernel<<<kBlocks, kThreads, 0, stream>>>(keys, count, limit);
  kernels::check_launch("cutting keys");
  sortie::cuda::StreamAllocator allocator;
  require_ok(sortie::cuda::radix_sort(keys, count, sortie::cuda::Order::kAscending, allocator, stream));
}

}  // namespace sortie::bench
