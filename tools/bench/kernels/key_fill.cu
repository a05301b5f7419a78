#include "bench/kernels/key_fill.hpp"

#include "device/cuda_error.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kThreads = 256;

/// The finaliser of SplitMix64.
__device__ std::uint64_t scramble(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

/// Key number i of `count`. The caller takes its lowest `key_bits` bits.
__device__ std::uint64_t key_bits(KeyDistribution distribution, std::uint64_t i, std::uint64_t count,
                                  unsigned key_bits) {
  const std::uint64_t random = scramble((i + 1) * 0x9e3779b97f4a7c15ULL);
  const std::uint64_t step = (~std::uint64_t{0} >> (64 - key_bits)) / count;
  switch (distribution) {
    case KeyDistribution::kUniform:
      return random;
    case KeyDistribution::kFewValued:
      return scramble(random % 256 + 1);
    case KeyDistribution::kConstantHigh:
      return random & (~std::uint64_t{0} >> (64 - key_bits / 2));
    case KeyDistribution::kSorted:
      return step * i;
    case KeyDistribution::kReversed:
      return step * (count - 1 - i);
    case KeyDistribution::kZipf:
      return scramble(static_cast<std::uint64_t>(exp2f(static_cast<float>(random >> 40) * (20.0F / (1 << 24)))));
  }
  return 0;
}

template <class Key>
__global__ void fill_keys_kernel(KeyDistribution distribution, Key* keys, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) keys[i] = static_cast<Key>(key_bits(distribution, i, count, 8 * sizeof(Key)));
}

template <class Value>
__global__ void fill_positions_kernel(Value* values, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) values[i] = static_cast<Value>(i);
}

unsigned grid_of(std::uint64_t count) { return kernels::grid_of_tiles(divide_up(count, kThreads)); }

}  // namespace

template <class Key>
void fill_keys(KeyDistribution distribution, Key* keys, std::uint64_t count, cudaStream_t stream) {
  fill_keys_kernel<<<grid_of(count), kThreads, 0, stream>>>(distribution, keys, count);
  kernels::check_launch("filling keys");
}

template <class Value>
void fill_positions(Value* values, std::uint64_t count, cudaStream_t stream) {
  fill_positions_kernel<<<grid_of(count), kThreads, 0, stream>>>(values, count);
  kernels::check_launch("filling values");
}

template void fill_keys(KeyDistribution, std::uint32_t*, std::uint64_t, cudaStream_t);
template void fill_keys(KeyDistribution, std::uint64_t*, std::uint64_t, cudaStream_t);
template void fill_positions(std::uint32_t*, std::uint64_t, cudaStream_t);
template void fill_positions(std::uint64_t*, std::uint64_t, cudaStream_t);

Array<std::uint32_t> shuffled_indices(std::uint64_t count, cudaStream_t stream) {
  Array<std::uint32_t> indices(count);
  const Array<std::uint64_t> keys(count);
  const Array<std::uint64_t> alternate(count);
  const Array<std::uint32_t> alternate_indices(count);
  const DeviceBuffer scratch(kernels::radix_sort_scratch_bytes(count));
  fill_keys(KeyDistribution::kUniform, keys.data(), count, stream);
  fill_positions(indices.data(), count, stream);
  kernels::radix_sort_pairs(keys.data(), alternate.data(), indices.data(), alternate_indices.data(), count, {0, 64},
                            scratch.data(), stream);
  check_cuda(cudaStreamSynchronize(stream), "shuffling indices");
  return indices;
}

}  // namespace sortie::bench
