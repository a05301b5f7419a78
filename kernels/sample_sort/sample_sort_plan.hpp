// Index arithmetic and scratch of a sample sort (sample_sort_launch.cuh). Host and device share these definitions; none
// needs a GPU.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/radix/radix_plan.hpp"

namespace sortie::kernels {

/// As many as a digit has values, so that items are ranked by bucket as a radix sort ranks them by digit.
inline constexpr unsigned kMostSampleBuckets = kRadixBins;
inline constexpr std::uint64_t kFewestSampleSorted = std::uint64_t{1} << 10;
inline constexpr std::uint64_t kMostSampleSorted = std::uint64_t{1} << 19;

/// Sample keys per bucket. With 16 of them one bucket in 20000 has 2.25 times the mean of its items or more.
inline constexpr unsigned kSamplesOfBucket = 16;

/// Tiles whose counts are added up together, and as many such groups at most.
inline constexpr unsigned kGroupTiles = 16;
inline constexpr unsigned kMostGroups = 16;

/// The number of buckets: a power of two. A bucket has 512 to 1024 items on average, up to 2048 in the longest sorts,
/// and fewer in the shortest.
SORTIE_HD constexpr unsigned sample_buckets(std::uint64_t count) {
  unsigned buckets = 8;
  while (buckets < kMostSampleBuckets && std::uint64_t{buckets} * 1024 < count) buckets *= 2;
  return buckets;
}

/// The position in the input of sample key `i` of `samples`: somewhere in the i-th of as many equal parts of the input.
SORTIE_HD constexpr std::uint64_t splitter_sample_position(unsigned i, unsigned samples, std::uint64_t count) {
  const std::uint64_t part = count / samples;
  return i * part + scattered(i + 1) % part;
}

/// Items of a tile of the partition per thread: short sorts have short tiles, so that more multiprocessors have some;
/// 256 tiles at most.
inline constexpr unsigned kPartitionThreads = 512;
inline constexpr unsigned kFewPartitionItems = 2;
inline constexpr unsigned kManyPartitionItems = 4;
static_assert(kMostSampleSorted <= kPartitionThreads * kManyPartitionItems * kGroupTiles * kMostGroups);
constexpr unsigned partition_items(std::uint64_t count) {
  return count <= kMostSampleSorted / 2 ? kFewPartitionItems : kManyPartitionItems;
}

/// An item that begins a bucket. Equal keys are told apart by their positions in the input.
struct Splitters {
  std::uint64_t* keys;
  std::uint32_t* positions;
};

struct SampleSortScratch {
  unsigned buckets;
  unsigned tiles;
  Splitters splitters;            ///< one less than there are buckets
  std::uint16_t* tile_counts;     ///< items of tile t in bucket b: [t * buckets + b]
  std::uint32_t* group_counts;    ///< the same of each kGroupTiles tiles
  std::uint32_t* blocks_arrived;  ///< behind the counts of groups, and cleared with them
  std::uint32_t cleared_words;
  std::uint32_t* begins;  ///< where each bucket begins; then the number of items
  std::uint64_t size_bytes;

  SORTIE_HD unsigned samples() const { return buckets * kSamplesOfBucket; }
  SORTIE_HD unsigned groups() const { return (tiles + kGroupTiles - 1) / kGroupTiles; }
};

/// Precondition: kFewestSampleSorted <= count <= kMostSampleSorted.
inline SampleSortScratch sample_sort_scratch(void* area, std::uint64_t count) {
  ScratchLayout layout(area);
  SampleSortScratch scratch{};
  scratch.buckets = sample_buckets(count);
  scratch.tiles = static_cast<unsigned>(divide_up(count, kPartitionThreads * partition_items(count)));
  scratch.splitters.keys = layout.take<std::uint64_t>(scratch.buckets);
  scratch.splitters.positions = layout.take<std::uint32_t>(scratch.buckets);
  scratch.tile_counts = layout.take<std::uint16_t>(scratch.tiles * scratch.buckets);
  scratch.cleared_words = scratch.groups() * scratch.buckets + 1;
  scratch.group_counts = layout.take<std::uint32_t>(scratch.cleared_words);
  scratch.blocks_arrived = scratch.group_counts + scratch.cleared_words - 1;
  scratch.begins = layout.take<std::uint32_t>(scratch.buckets + 1);
  scratch.size_bytes = layout.size_bytes();
  return scratch;
}

}  // namespace sortie::kernels
