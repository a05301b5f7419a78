// The first half of a counting sort of short keys: how often each value occurs. One read of the keys; blocks count in
// shared memory, and add what they have to the counts of all.
//
//   groups | keys whose highest byte is 0 | is 1 | ...      256 counts
//   values | keys that are 0 | are 1 | ...                  65536 counts, of keys of 16 bits only
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/radix_bucket_plan.hpp"
#include "kernels/radix/warp_rank.cuh"
#include "kernels/radix_sort.hpp"

namespace sortie::kernels {

inline constexpr unsigned kCountThreads = 1024;

/// What one block counts, in shared memory, and how many vectors of 16 bytes a thread of it has under way.
template <ShortKey Key>
class BlockCounts;

/// Counts keys of 8 bits. Each lane has its own column of counts and its own bank, so that no two lanes of a warp meet,
/// however often a value occurs.
template <>
class BlockCounts<std::uint8_t> {
 public:
  static constexpr unsigned kWords = kValueGroups * 32;
  static constexpr unsigned kVectors = 2;

  __device__ BlockCounts(unsigned* words, const ValueCounts& all) : words_(words), all_(all) {}

  __device__ void make_room() const {}

  __device__ void add(const std::uint8_t (&keys)[16]) const {
#pragma unroll
    for (const std::uint8_t key : keys) atomicAdd(&words_[key * 32 + threadIdx.x % 32], 1u);
  }

  __device__ void add_to_all(std::uint8_t key) const { atomicAdd(&all_.groups[key], 1ull); }

  __device__ void leave() const {
    for (unsigned value = threadIdx.x / 32; value < kValueGroups; value += kCountThreads / 32) {
      const unsigned count = warp_sum(words_[value * 32 + threadIdx.x % 32]);
      if (threadIdx.x % 32 == 0 && count != 0) atomicAdd(&all_.groups[value], std::uint64_t{count});
    }
  }

 private:
  unsigned* const words_;
  const ValueCounts all_;
};

/// Counts keys of 16 bits. Two counts share a word, so that all fit. Before a round, which adds no more than
/// kRoundKeys, counts that have come so far are added to those of all, so that none runs over.
template <>
class BlockCounts<std::uint16_t> {
 public:
  static constexpr unsigned kWords = kValueGroups * kGroupValues / 2;
  static constexpr unsigned kVectors = 4;
  static constexpr unsigned kRoundKeys = kCountThreads * kVectors * 8;
  static_assert(2 * kRoundKeys <= 1u << 16);

  __device__ BlockCounts(unsigned* words, const ValueCounts& all) : words_(words), all_(all) {}

  __device__ void make_room() const {
    constexpr unsigned kFull = 0x80008000;
    static_assert(kRoundKeys == (kFull & 0xffff));
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kWords / 4; i += kCountThreads) {
      const uint4 four = reinterpret_cast<const uint4*>(words_)[i];
      if (((four.x | four.y | four.z | four.w) & kFull) == 0) continue;
      for (unsigned word = 4 * i; word < 4 * i + 4; ++word) {
        if ((words_[word] & kFull) != 0) move_to_all(word);
      }
    }
    __syncthreads();
  }

  /// Keys that are all the same are counted at once; in sorted or constant keys lanes would meet at every one of them.
  template <unsigned kKeys>
  __device__ void add(const std::uint16_t (&keys)[kKeys]) const {
    bool are_same = true;
#pragma unroll
    for (const std::uint16_t key : keys) are_same &= key == keys[0];
    if (are_same) return add_times(keys[0], kKeys);
#pragma unroll
    for (const std::uint16_t key : keys) add_times(key, 1);
  }

  __device__ void add_to_all(std::uint16_t key) const { add_to_all(key, 1); }

  /// A warp takes groups one after the other. Blocks begin at different ones, so that they do not meet.
  __device__ void leave() const {
    constexpr unsigned kGroupWords = kGroupValues / 2;
    for (unsigned i = threadIdx.x / 32; i < kValueGroups; i += kCountThreads / 32) {
      const unsigned group = (i + blockIdx.x * (kCountThreads / 32)) % kValueGroups;
      unsigned sum = 0;
      for (unsigned word = group * kGroupWords + threadIdx.x % 32; word < (group + 1) * kGroupWords; word += 32) {
        const unsigned low = words_[word] & 0xffff;
        const unsigned high = words_[word] >> 16;
        if (low != 0) atomicAdd(&all_.values[2 * word], std::uint64_t{low});
        if (high != 0) atomicAdd(&all_.values[2 * word + 1], std::uint64_t{high});
        sum += low + high;
      }
      sum = warp_sum(sum);
      if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(&all_.groups[group], std::uint64_t{sum});
    }
  }

 private:
  __device__ void add_times(unsigned value, unsigned times) const {
    atomicAdd(&words_[value / 2], times << (16 * (value % 2)));
  }

  __device__ void add_to_all(unsigned value, unsigned count) const {
    if (count == 0) return;
    atomicAdd(&all_.values[value], std::uint64_t{count});
    atomicAdd(&all_.groups[value / kGroupValues], std::uint64_t{count});
  }

  __device__ void move_to_all(unsigned word) const {
    add_to_all(2 * word, words_[word] & 0xffff);
    add_to_all(2 * word + 1, words_[word] >> 16);
    words_[word] = 0;
  }

  unsigned* const words_;
  const ValueCounts all_;
};

/// The least keys that are worth a block: a vector for each of its threads.
template <ShortKey Key>
inline constexpr std::uint64_t kCountTile = kCountThreads*(16 / sizeof(Key));

template <ShortKey Key>
inline constexpr std::uint64_t kCountSharedBytes = BlockCounts<Key>::kWords * sizeof(unsigned);

template <class Lanes>
__device__ uint4 encoded(const uint4& words, const Lanes& lanes) {
  return {lanes.encode(words.x), lanes.encode(words.y), lanes.encode(words.z), lanes.encode(words.w)};
}

template <class Lanes>
__device__ uint4 decoded(const uint4& words, const Lanes& lanes) {
  return {lanes.decode(words.x), lanes.decode(words.y), lanes.decode(words.z), lanes.decode(words.w)};
}

/// `lanes` turns words of keys into words of their codes, which are counted: PlainKeys or a LaneCodec.
/// A block counts in 32 bits: it sees fewer than 2^32 keys, since no device has more memory than that per
/// multiprocessor.
template <ShortKey Key, class Lanes>
__global__ void __launch_bounds__(kCountThreads)
    count_values_kernel(const Key* keys, std::uint64_t count, ValueCounts counts, Lanes lanes) {
  extern __shared__ __align__(16) unsigned count_words[];
  constexpr unsigned kVectors = BlockCounts<Key>::kVectors;
  constexpr unsigned kVectorKeys = 16 / sizeof(Key);
  for (unsigned i = threadIdx.x; i < BlockCounts<Key>::kWords; i += kCountThreads) count_words[i] = 0;
  await_launch_before();
  __syncthreads();
  const BlockCounts<Key> block(count_words, counts);
  const std::uint64_t vector_count = count / kVectorKeys;
  const auto* vectors = reinterpret_cast<const uint4*>(keys);
  const std::uint64_t row_vectors = std::uint64_t{gridDim.x} * kCountThreads;
  const std::uint64_t place = std::uint64_t{blockIdx.x} * kCountThreads + threadIdx.x;
  for (std::uint64_t begin = 0; begin < vector_count; begin += kVectors * row_vectors) {
    uint4 loaded[kVectors];
#pragma unroll
    for (unsigned k = 0; k < kVectors; ++k) {
      const std::uint64_t at = begin + k * row_vectors + place;
      if (at < vector_count) loaded[k] = vectors[at];
    }
    if (begin > 0) block.make_room();
#pragma unroll
    for (unsigned k = 0; k < kVectors; ++k) {
      if (begin + k * row_vectors + place >= vector_count) break;
      const uint4 codes = encoded(loaded[k], lanes);
      Key values[kVectorKeys];
      memcpy(values, &codes, sizeof values);
      block.add(values);
    }
  }
  const std::uint64_t rest = vector_count * kVectorKeys + threadIdx.x;
  if (blockIdx.x == 0 && rest < count) block.add_to_all(static_cast<Key>(lanes.encode(std::uint32_t{keys[rest]})));
  __syncthreads();
  block.leave();
}

}  // namespace sortie::kernels
