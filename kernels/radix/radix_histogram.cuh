// The read of all keys that precedes the passes: it makes histograms of the digits. The plan follows from them; where
// this read has made all of them, its last block makes the plan.
#pragma once

#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/radix_buckets.cuh"
#include "kernels/radix/radix_pass_planning.cuh"
#include "kernels/radix/radix_plan.hpp"
#include "kernels/radix/radix_portion.cuh"
#include "kernels/radix/radix_sample.cuh"

namespace sortie::kernels {

/// The reads of a sort. The first counts the leading digits that vary in the sample. The second counts those that were
/// constant in the sample but vary after all. The third counts all others, if the sort by the leading digits was not
/// enough. The second and third rarely have anything to do, and then end at once.
enum class HistogramRead { kFirst, kMissed, kRest };

template <HistogramRead kRead>
__device__ unsigned digits_to_count(const SampleVerdict& verdict, const RadixPlan& plan) {
  const unsigned leading = verdict.leading_digits(plan);
  const unsigned promised = verdict.sampled ? varying_digits(verdict.bits, plan.sample_ones, plan.sample_zeros) : ~0u;
  if (kRead == HistogramRead::kFirst) return leading & promised;
  const unsigned varying = plan.unsorted != 0 ? varying_digits(verdict.bits, plan.ones, plan.zeros) : 0;
  if (kRead == HistogramRead::kMissed) return leading & varying & ~promised;
  return plan.failed != 0 ? varying & ~leading : 0;
}

/// Vectors of 16 bytes that a thread has under way at once. Of short keys a vector holds many.
template <class Key>
inline constexpr unsigned kHistogramVectors = sizeof(Key) < 4 ? sizeof(Key) : 4;

/// The least keys that are worth a block: a vector for each of its threads.
template <class Key>
inline constexpr std::uint64_t kLeastHistogramTile = kHistogramThreads*(16 / sizeof(Key));

/// One thread's part in counting digits in its block. A counter has `columns` columns, and lanes spread over them, so
/// that the lanes of a warp do not wait for each other however often a digit occurs.
///
///   shared | bin 0: lane 0, lane 1, ... | bin 1 | ...     of the first digit counted, then of the next
template <class Key>
class DigitCounter {
 public:
  __device__ DigitCounter(BitRange bits, unsigned digits, unsigned* counts, unsigned columns)
      : bits_(bits), digits_(digits), columns_(columns), counts_(counts + threadIdx.x % columns) {}

  __device__ void count(Key key) {
    unsigned* counts = counts_;
    if constexpr (!kTakesAllDigits<Key>) {
      ones_ |= key;
      zeros_ |= static_cast<Key>(~key);
    }
#pragma unroll
    for (unsigned i = 0; i < sizeof(Key); ++i) {
      if ((digits_ >> i & 1) != 0) {
        atomicAdd(&counts[radix_digit(bits_, i).of(key) * columns_], 1u);
        counts += kRadixBins * columns_;
      }
    }
  }

  __device__ std::uint64_t ones() const { return ones_; }
  __device__ std::uint64_t zeros() const { return zeros_; }

 private:
  const BitRange bits_;
  const unsigned digits_;
  const unsigned columns_;
  unsigned* const counts_;
  Key ones_ = 0;
  Key zeros_ = 0;
};

/// Whether a key of the vector is less than the one before it. `at` is the vector's index.
template <class Key, class Codec, unsigned kVectorKeys>
__device__ bool has_descent(const CodedKeys<Key, Codec>& keys, std::uint64_t at, const Key (&lanes)[kVectorKeys],
                            BitRange bits) {
  Key before = at > 0 ? keys[at * kVectorKeys - 1] : Key{0};
  bool descent = at > 0 && ordered_bits(bits, lanes[0]) < ordered_bits(bits, before);
#pragma unroll
  for (unsigned i = 1; i < kVectorKeys; ++i) {
    descent |= ordered_bits(bits, lanes[i]) < ordered_bits(bits, lanes[i - 1]);
  }
  return descent;
}

/// Whether the items are in the alternate arrays. Each pass moves them to the other side.
__device__ inline bool in_alternate(const RadixPlan& plan) {
  return (plan.passes[kLeadingDigits].count + plan.passes[kAllDigits].count) % 2 != 0;
}

/// Columns per counter: a power of two, at most the lanes of a warp, so that all counters together have at most
/// `counter_room` columns if possible.
__device__ inline unsigned counter_columns(unsigned counters, unsigned counter_room) {
  unsigned columns = 1;
  while (columns < 32 && 2 * columns * counters <= counter_room) columns *= 2;
  return columns;
}

/// Reads all keys in 16-byte vectors, with a grid stride, so that few keys are spread over many blocks. A block counts
/// in 32 bits: it sees fewer than 2^32 keys, since no device has more memory than that per multiprocessor. The first
/// read looks for descents until it has seen one, which is soon in unsorted keys. All reads find the caller's numbers,
/// and count their codes. kCountsBuckets: the first read counts buckets, too, in shared memory behind that of the
/// digits.
template <HistogramRead kRead, class Key, class Codec, bool kCountsBuckets>
__global__ void __launch_bounds__(kHistogramThreads)
    radix_histogram_kernel(const Key* primary, const Key* alternate, std::uint64_t count, SampleVerdict verdict,
                           Codec codec, unsigned counter_room, BucketCounts buckets, RadixPlan* plan) {
  extern __shared__ __align__(16) unsigned counts[];
  await_launch_before();
  constexpr unsigned kVectorKeys = 16 / sizeof(Key);
  const unsigned digits = digits_to_count<kRead>(verdict, *plan);
  if (kRead != HistogramRead::kFirst && digits == 0) return;
  const CodedKeys<Key, Codec> keys{in_alternate(*plan) ? alternate : primary, codec};
  const unsigned counters = __popc(digits) * kRadixBins;
  const unsigned columns = counter_columns(counters, counter_room);
  for (unsigned i = threadIdx.x; i < counters * columns; i += blockDim.x) counts[i] = 0;
  using BucketCounter = BlockCounts<std::uint16_t>;
  const BucketCounter bucket_counter(counts + counter_room, buckets.counts);
  if constexpr (kCountsBuckets) {
    for (unsigned i = threadIdx.x; i < BucketCounter::kWords; i += blockDim.x) counts[counter_room + i] = 0;
  }
  __syncthreads();

  DigitCounter<Key> counter(verdict.bits, digits, counts, columns);
  const bool looks_at_keys = kRead == HistogramRead::kFirst && !kTakesAllDigits<Key> && !verdict.takes_all;
  bool ascending = looks_at_keys;
  const std::uint64_t vector_count = count / kVectorKeys;
  const uint4* vectors = reinterpret_cast<const uint4*>(keys.keys);
  constexpr unsigned kVectors = kHistogramVectors<Key>;
  const std::uint64_t row_vectors = std::uint64_t{gridDim.x} * kHistogramThreads;
  const std::uint64_t place = std::uint64_t{blockIdx.x} * kHistogramThreads + threadIdx.x;
  for (std::uint64_t begin = 0; begin < vector_count; begin += kVectors * row_vectors) {
    uint4 loaded[kVectors];
#pragma unroll
    for (unsigned k = 0; k < kVectors; ++k) {
      const std::uint64_t at = begin + k * row_vectors + place;
      if (at < vector_count) loaded[k] = vectors[at];
    }
    if constexpr (kCountsBuckets) {
      static_assert(kHistogramThreads == kCountThreads);
      static_assert(kVectors * kLeastHistogramTile<Key> <= BucketCounter::kRoundKeys);
      bucket_counter.make_room();
    }
#pragma unroll
    for (unsigned k = 0; k < kVectors; ++k) {
      const std::uint64_t at = begin + k * row_vectors + place;
      if (at >= vector_count) break;
      Key lanes[kVectorKeys];
      memcpy(lanes, &loaded[k], sizeof lanes);
#pragma unroll
      for (unsigned lane = 0; lane < kVectorKeys; ++lane) {
        lanes[lane] = codec.encode(lanes[lane]);
        counter.count(lanes[lane]);
      }
      if constexpr (kCountsBuckets) {
        std::uint16_t upper[kVectorKeys];
#pragma unroll
        for (unsigned lane = 0; lane < kVectorKeys; ++lane) {
          upper[lane] = static_cast<std::uint16_t>(lanes[lane] >> kBucketBits);
        }
        bucket_counter.add(upper);
      }
      if (ascending && has_descent(keys, at, lanes, verdict.bits)) ascending = false;
    }
  }
  const std::uint64_t rest = vector_count * kVectorKeys + threadIdx.x;
  if (blockIdx.x == 0 && rest < count) {
    counter.count(keys[rest]);
    if constexpr (kCountsBuckets) bucket_counter.add_to_all(static_cast<std::uint16_t>(keys[rest] >> kBucketBits));
    if (ascending && rest > 0 && ordered_bits(verdict.bits, keys[rest]) < ordered_bits(verdict.bits, keys[rest - 1])) {
      ascending = false;
    }
  }

  if (__syncthreads_or(looks_at_keys && !ascending) != 0 && threadIdx.x == 0) plan->unsorted = 1;
  if constexpr (kCountsBuckets) bucket_counter.leave();
  if (looks_at_keys) {
    leave_bits_of_block<kHistogramThreads>(counter.ones(), counter.zeros(), &plan->ones, &plan->zeros);
  }
  for (unsigned i = threadIdx.x; i < counters; i += blockDim.x) {
    unsigned bin_count = 0;
    for (unsigned k = 0; k < columns; ++k) bin_count += counts[i * columns + (k + i) % columns];
    const unsigned digit = __fns(digits, 0, i / kRadixBins + 1);
    if (bin_count != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&plan->bins[digit][i % kRadixBins]), bin_count);
    }
  }
  if constexpr (kRead == HistogramRead::kFirst) {
    if (!verdict.sampled && is_last_block(&plan->blocks_counted)) {
      plan_passes<kLeadingDigits>(verdict, *plan);
      if constexpr (kCountsBuckets) {
        __syncthreads();
        plan_buckets(buckets, *plan);
      }
    }
  }
}

template <class Item>
__device__ void copy_items(const Item* from, Item* to, std::uint64_t count) {
  constexpr unsigned kVectorItems = 16 / sizeof(Item);
  const std::uint64_t vector_count = count / kVectorItems;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::uint64_t i = first; i < vector_count; i += std::uint64_t{gridDim.x} * blockDim.x) {
    reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
  }
  const std::uint64_t rest = vector_count * kVectorItems + first;
  if (rest < count) to[rest] = from[rest];
}

/// Copies keys to the primary array, and numbers the values, if no pass of the first phase does.
template <class Key, class Value>
__global__ void __launch_bounds__(kRadixStreamThreads)
    radix_fetch_kernel(const RadixPlan* plan, const Key* source, RadixArrays<Key, Value> arrays, std::uint64_t count) {
  await_launch_before();
  if (plan->passes[kLeadingDigits].count != 0) return;
  copy_items(source, arrays.keys, count);
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::uint64_t i = first; i < count; i += std::uint64_t{gridDim.x} * blockDim.x) {
    arrays.values[i] = static_cast<Value>(i);
  }
}

/// Copies the result to the primary arrays if an odd number of passes left it in the alternate ones.
template <class Key, class Value>
__global__ void __launch_bounds__(kRadixStreamThreads)
    radix_copy_home_kernel(const RadixPlan* plan, RadixArrays<Key, Value> arrays, std::uint64_t count) {
  await_launch_before();
  if (!in_alternate(*plan)) return;
  copy_items(arrays.alternate_keys, arrays.keys, count);
  if constexpr (kHasValue<Value>) copy_items(arrays.alternate_values, arrays.values, count);
}

}  // namespace sortie::kernels
