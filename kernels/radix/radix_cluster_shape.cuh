// The shapes of a radix sort in one launch (radix_cluster.cuh), and what its blocks keep in shared memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/radix/radix_plan.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// As many blocks any device with clusters has in one.
inline constexpr unsigned kMostClusterBlocks = 8;

/// The items of a block.
template <unsigned kBlockThreads, unsigned kThreadItems>
struct RadixClusterTile {
  static constexpr unsigned kThreads = kBlockThreads;
  static constexpr unsigned kItemsOfThread = kThreadItems;
  static constexpr unsigned kItems = kBlockThreads * kThreadItems;
  static_assert(kThreads >= kRadixBins);
};

/// As many such blocks.
template <unsigned kThreads, unsigned kItems, unsigned kBlocks>
struct RadixClusterShape {
  using Tile = RadixClusterTile<kThreads, kItems>;
  static constexpr unsigned kCapacity = Tile::kItems * kBlocks;
  static_assert(kBlocks <= kMostClusterBlocks);
};

/// What a block finds in its items.
struct RadixFindings {
  std::uint64_t ones;   ///< bits that are one in some key
  std::uint64_t zeros;  ///< bits that are zero in some key
  bool has_descent;     ///< whether a key is less than the one before it
  bool has_twins;       ///< whether two of a few keys differ, but not in their leading half
};

/// What moves with a key: its value, or in place of a long one its position, by which it is gathered in the end.
template <class Value>
using MovedWithKey = std::conditional_t<sizeof(Value) <= 8, Value, std::uint32_t>;

/// Shared memory of a block.
template <class Key, class Value, class Tile>
struct RadixClusterShared {
  static constexpr unsigned kWarps = Tile::kThreads / 32;
  static constexpr unsigned kTile = Tile::kItems;

  alignas(16) Key keys[kTile];
  MovedWithKey<Value> values[kHasValue<Value> ? kTile : 1];
  unsigned warp_counts[kWarps][kRadixBins];  ///< counts; then the place of each warp's first item per bin
  unsigned block_counts[kMostClusterBlocks][kRadixBins];
  unsigned scan_sums[kRadixBins / 32];
  std::uint64_t warp_ones[kWarps];  ///< bits that are one in some key of a warp
  std::uint64_t warp_zeros[kWarps];
  RadixFindings findings[kMostClusterBlocks];  ///< of every block
};

}  // namespace sortie::kernels
