// Which sorts bring their items into buckets first (radix_buckets.cuh), and the counts that they keep in scratch. Host
// and device share these definitions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/scratch_layout.hpp"
#include "kernels/radix_sort.hpp"

namespace sortie::kernels {

/// How often each value of 16 bits occurs, or of 8 bits. A group is the values that share their highest byte; a value
/// of 8 bits is a group.
struct ValueCounts {
  unsigned long long* groups;
  unsigned long long* values;
};

inline constexpr unsigned kValueGroups = 256;
inline constexpr unsigned kGroupValues = 256;  ///< of 16 bits

/// `value_bytes`: 1 or 2.
inline ValueCounts take_value_counts(ScratchLayout& layout, std::size_t value_bytes) {
  auto* groups = layout.take<unsigned long long>(kValueGroups);
  return {groups, layout.take<unsigned long long>(value_bytes == 1 ? 0 : kValueGroups * kGroupValues)};
}

inline constexpr unsigned kBucketBits = 16;
inline constexpr unsigned kBuckets = 1u << kBucketBits;

struct BucketCounts {
  ValueCounts counts;     ///< zero at first
  std::uint32_t* begins;  ///< kBuckets + 1 of them
  unsigned log2_tile_buckets;
};

/// The items of a tile of buckets on average. A tile holds a tenth more: uniform keys never fill that.
inline constexpr std::uint64_t kMostMeanBucketItems = 4200;
/// Scratch for as many items has room for the counts. No architecture's rows say that fewer have buckets.
inline constexpr std::uint64_t kBucketRoomFrom = std::uint64_t{1} << 26;

/// Whether buckets are counted. Sorts of fewer than 2^log2_from items would gain less than that takes; 0: none gains.
constexpr bool counts_buckets(std::uint64_t count, unsigned log2_from) {
  return log2_from != 0 && count >= kBucketRoomFrom && count >> log2_from != 0 &&
         count >> kBucketBits <= kMostMeanBucketItems;
}

/// How many buckets make a tile, as a power of two.
constexpr unsigned log2_tile_buckets(std::uint64_t count) {
  unsigned log2 = 0;
  while (log2 < 6 && count << (log2 + 1) >> kBucketBits <= kMostMeanBucketItems) ++log2;
  return log2;
}

}  // namespace sortie::kernels
