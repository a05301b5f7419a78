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

/// A rank in [0, 2^log2_ranks). Its probability falls as one over the rank.
__device__ std::uint64_t zipf_rank(std::uint64_t random, float log2_ranks) {
  return static_cast<std::uint64_t>(exp2f(static_cast<float>(random >> 40) * (log2_ranks / (1 << 24))));
}

/// The first eight letters of word number `rank`, the first one in the highest byte.
__device__ std::uint64_t word(std::uint64_t rank) {
  std::uint64_t random = scramble(rank);
  const unsigned length = 1 + static_cast<unsigned>(random % 9);
  std::uint64_t letters = 0;
  for (unsigned i = 0; i < 8; ++i) {
    random = scramble(random);
    letters = letters << 8 | (i < length ? 'a' + random % 26 : 0);
  }
  return letters;
}

/// Number i of `count` that ascend from zero to the largest of `key_bits` bits.
__device__ std::uint64_t ascending(std::uint64_t i, std::uint64_t count, unsigned key_bits) {
  if (key_bits == 64) return ~std::uint64_t{0} / count * i;
  return (i << key_bits) / count;  // with count <= 2^32 and 32 bits it fits
}

/// Key number i of `count`. The caller takes its lowest `key_bits` bits.
__device__ std::uint64_t key_bits(KeyDistribution distribution, std::uint64_t i, std::uint64_t count,
                                  unsigned key_bits) {
  const std::uint64_t random = scramble((i + 1) * 0x9e3779b97f4a7c15ULL);
  switch (distribution) {
    case KeyDistribution::kUniform:
      return random;
    case KeyDistribution::kConstant:
      return scramble(1);
    case KeyDistribution::kFewValued:
      return scramble(random % 256 + 1);
    case KeyDistribution::kConstantHigh:
      return random & (~std::uint64_t{0} >> (64 - key_bits / 2));
    case KeyDistribution::kSorted:
      return ascending(i, count, key_bits);
    case KeyDistribution::kReversed:
      return ascending(count - 1 - i, count, key_bits);
    case KeyDistribution::kNearlySorted:
      return random % 64 == 0 ? scramble(random) : ascending(i, count, key_bits);
    case KeyDistribution::kZipf:
      return scramble(zipf_rank(random, 20));
    case KeyDistribution::kWords:
      return word(zipf_rank(random, 16)) >> (64 - key_bits);
    case KeyDistribution::kGeometric:
      return static_cast<std::uint64_t>(logf((static_cast<float>(random >> 40) + 1) / (1 << 24)) / logf(63.0F / 64));
    case KeyDistribution::kGroups: {
      const std::uint64_t low = (std::uint64_t{1} << key_bits * 5 / 16) - 1;
      return (scramble(random >> 44) & ~low) | (random & low);
    }
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

template void fill_keys(KeyDistribution, std::uint8_t*, std::uint64_t, cudaStream_t);
template void fill_keys(KeyDistribution, std::uint16_t*, std::uint64_t, cudaStream_t);
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
