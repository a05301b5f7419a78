// What every scatter of an array's numbers begins with: samples, the number of buckets, the shares of the threads, and
// where each share of a bucket goes. Used by ScatteredNumbers and argsort_numbers().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/size.hpp"
#include "base/thread_team.hpp"
#include "engine/cpu/array_codec.hpp"
#include "engine/cpu/cell_buckets.hpp"
#include "entries/splitters.hpp"
#include "entries/vector_sort.hpp"

namespace sortie {

/// Calls `body` with stretches of the numbers in turn, and asks in between whether the sort is to stop.
template <class Number, class Body>
void for_each_stretch(std::span<Number> numbers, const Body& body) {
  constexpr std::size_t kNumbersBetweenStops = 1 << 20;
  for (std::size_t begin = 0; begin < numbers.size(); begin += kNumbersBetweenStops) {
    throw_if_stopped();
    body(numbers.subspan(begin, std::min(kNumbersBetweenStops, numbers.size() - begin)));
  }
}

/// How many buckets an array is worth. Small arrays are cut into more of fewer numbers, for all threads.
inline std::size_t wanted_buckets(std::size_t count) {
  // They fit the cache of a core. To argsort one of 32 million i64 takes 38 ns with so many, 44 with half of them, 55
  // with a quarter (AMD EPYC, one thread, a busy machine): a scatter to more buckets takes longer than a sort of larger
  // ones.
  constexpr std::size_t kBucketNumbers = 1 << 18;
  constexpr std::size_t kLeastBucketNumbers = 1 << 12;
  const std::size_t for_threads = std::min(CellBuckets::kEnoughBuckets, count / kLeastBucketNumbers);
  return std::min(CellBuckets::kMaxBuckets, std::max(for_threads, count / kBucketNumbers));
}

/// The codes of evenly spaced numbers, in order. Parallel.
template <class Code>
std::vector<std::uint64_t> sorted_sample(std::span<const Code> numbers, ArrayCodec<Code> codec, std::size_t stride) {
  constexpr std::size_t kGrain = 1 << 10;
  std::vector<std::uint64_t> sample(divide_up(numbers.size(), stride));
  parallel_for_ranges(0, sample.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) sample[i] = codec.encode(numbers[i * stride]);
  });
  vector_sort(sample);
  return sample;
}

/// An array cut into stretches that threads scatter on their own.
template <class Code>
class NumberRanges {
 public:
  explicit NumberRanges(std::span<const Code> numbers)
      : numbers_(numbers), count_(numbers.size() < kLeastSharedNumbers ? 1 : 4 * parallel_threads()) {}

  std::size_t count() const { return count_; }
  std::size_t begin_of(std::size_t share) const {
    return static_cast<std::size_t>(static_cast<unsigned __int128>(numbers_.size()) * share / count_);
  }
  std::span<const Code> operator[](std::size_t share) const {
    return numbers_.subspan(begin_of(share), begin_of(share + 1) - begin_of(share));
  }

 private:
  /// With fewer numbers other threads would wake up too late to help.
  static constexpr std::size_t kLeastSharedNumbers = 1 << 15;

  std::span<const Code> numbers_;
  std::size_t count_;
};

struct NumberPositions {
  std::vector<std::vector<std::size_t>> begins_of_share;  ///< [share][bucket]
  std::vector<std::size_t> begins;                        ///< of the buckets, and the end of the last
};

/// Counts the numbers and lays the shares of each bucket side by side, which keeps equal numbers in their order.
/// Buckets: CellBuckets or Splitters. Parallel.
template <class Code, class Buckets>
NumberPositions position_numbers(const NumberRanges<Code>& shares, ArrayCodec<Code> codec, const Buckets& buckets) {
  NumberPositions positions;
  positions.begins_of_share.resize(shares.count());
  parallel_for(0, shares.count(), [&](std::size_t share) {
    std::vector<std::size_t> counts(buckets.bucket_count());  // no other thread's counts lie beside them
    for_each_stretch(shares[share], [&](std::span<const Code> stretch) {
      const auto& finder = buckets.finder();
      std::size_t* const count_of = counts.data();
      codec.with_encoding([&, count_of](const auto& encode) {
        for (const Code number : stretch) ++count_of[finder.bucket_of(encode(number))];
      });
    });
    positions.begins_of_share[share] = std::move(counts);
  });
  positions.begins = turn_counts_into_positions(positions.begins_of_share);
  return positions;
}

}  // namespace sortie
