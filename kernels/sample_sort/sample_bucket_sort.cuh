// Sorts the buckets of a sample sort, each by one block, from the alternate arrays to the primary ones. Nearly all fit
// into a block's registers and shared memory. A longer one is sorted in parts, which are then merged in memory.
#pragma once

#include <cstdint>

#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/radix_cluster.cuh"
#include "kernels/sample_sort/sample_sort_plan.hpp"

namespace sortie::kernels {

/// Items per thread of the ways to sort a bucket: the first that holds it is taken.
inline constexpr unsigned kBucketSortThreads = 512;
template <unsigned kItems>
using BucketSortTile = RadixClusterTile<kBucketSortThreads, kItems>;
inline constexpr unsigned kFewBucketItems = 3;
inline constexpr unsigned kSomeBucketItems = 5;
inline constexpr unsigned kMostBucketItems = 8;

template <class Key, class Value>
using BucketSortShared = RadixClusterShared<Key, Value, BucketSortTile<kMostBucketItems>>;

/// The bucket of one block.
template <class Key, class Value, class Codec>
class SampleBucket {
 public:
  using Arrays = RadixArrays<Key, Value>;

  /// `arrays`: the bucket's part of all arrays.
  __device__ SampleBucket(const Arrays& arrays, const Codec& codec, unsigned count, BitRange bits,
                          unsigned char* shared)
      : primary_{arrays.keys, nullptr, arrays.values, nullptr},
        alternate_{arrays.alternate_keys, nullptr, arrays.alternate_values, nullptr},
        codec_(codec),
        count_(count),
        bits_(bits),
        shared_(shared) {}

  __device__ void sort() const {
    if (count_ <= BucketSortTile<kFewBucketItems>::kItems) {
      sort_part<kFewBucketItems>(alternate_, primary_, count_);
    } else if (count_ <= BucketSortTile<kSomeBucketItems>::kItems) {
      sort_part<kSomeBucketItems>(alternate_, primary_, count_);
    } else if (count_ <= kPart) {
      sort_part<kMostBucketItems>(alternate_, primary_, count_);
    } else {
      sort_in_parts();
    }
  }

 private:
  static constexpr unsigned kPart = BucketSortTile<kMostBucketItems>::kItems;

  template <unsigned kItems>
  __device__ void sort_part(const Arrays& from, const Arrays& to, unsigned count) const {
    using Tile = BucketSortTile<kItems>;
    using Shared = RadixClusterShared<Key, Value, Tile>;
    static_assert(sizeof(Shared) <= sizeof(BucketSortShared<Key, Value>));
    RadixClusterSort<Key, Value, Codec, Tile, false>(from, to, codec_, count, bits_,
                                                     *reinterpret_cast<Shared*>(shared_))
        .run();
  }

  __device__ static Arrays from(const Arrays& arrays, unsigned begin) {
    return {arrays.keys + begin, nullptr, arrays.values + begin, nullptr};
  }

  __device__ void sort_in_parts() const {
    for (unsigned begin = 0; begin < count_; begin += kPart) {
      sort_part<kMostBucketItems>(from(alternate_, begin), from(alternate_, begin), min(kPart, count_ - begin));
      __syncthreads();
    }
    bool in_primary = false;
    for (unsigned width = kPart; width < count_; width *= 2) {
      merge_neighbours(in_primary ? primary_ : alternate_, in_primary ? alternate_ : primary_, width);
      in_primary = !in_primary;
      __syncthreads();
    }
    if (!in_primary) merge_neighbours(alternate_, primary_, count_);
  }

  /// Merges lists of `width` items two by two: each item finds its rank in the other list of its pair.
  __device__ void merge_neighbours(const Arrays& in, const Arrays& out, unsigned width) const {
    for (unsigned i = threadIdx.x; i < count_; i += kBucketSortThreads) {
      const unsigned begin = i / width * width;
      const bool is_left = begin / width % 2 == 0;
      const unsigned other = is_left ? begin + width : begin - width;
      const Key key = in.keys[i];
      const unsigned to = i + rank_in(in.keys, min(other, count_), min(other + width, count_), ordered(key), is_left) -
                          (is_left ? 0 : width);
      out.keys[to] = key;
      if constexpr (kHasValue<Value>) out.values[to] = in.values[i];
    }
  }

  /// How many of the items [low, high) come before one with this key, which precedes equal ones if `is_first`.
  __device__ unsigned rank_in(const Key* keys, unsigned low, unsigned high, Key key, bool is_first) const {
    const unsigned begin = low;
    while (low < high) {
      const unsigned middle = low + (high - low) / 2;
      const Key other = ordered(keys[middle]);
      if (other < key || (!is_first && other == key)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - begin;
  }

  __device__ Key ordered(Key number) const { return ordered_bits(bits_, codec_.encode(number)); }

  const Arrays primary_;
  const Arrays alternate_;
  const Codec& codec_;
  const unsigned count_;
  const BitRange bits_;
  unsigned char* const shared_;
};

template <class Key, class Value, class Codec>
__global__ void __launch_bounds__(kBucketSortThreads, 2)
    sample_bucket_sort_kernel(const __grid_constant__ RadixArrays<Key, Value> arrays,
                              const __grid_constant__ Codec codec, BitRange bits, const std::uint32_t* begins) {
  extern __shared__ __align__(16) unsigned char bucket_bytes[];
  await_launch_before();
  const unsigned begin = begins[blockIdx.x];
  const unsigned count = begins[blockIdx.x + 1] - begin;
  if (count == 0) return;
  const RadixArrays<Key, Value> bucket{arrays.keys + begin, arrays.alternate_keys + begin, arrays.values + begin,
                                       arrays.alternate_values + begin};
  SampleBucket<Key, Value, Codec>(bucket, codec, count, bits, bucket_bytes).sort();
}

}  // namespace sortie::kernels
