// Sorts lists too long for one block: a block sorts or merges tiles in registers, and there are steps between tiles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/bitonic/bitonic_network.cuh"

namespace sortie::kernels {

template <class Arrays>
inline constexpr unsigned kTileBytes = padded_items(kBitonicTile, Arrays::kItemBytes) * Arrays::kItemBytes;

/// Makes the straight steps from kBitonicTile down to 2 over the first `count` items of `arrays`.
template <class Arrays>
__device__ void merge_tile(const Arrays& arrays, unsigned count, const typename Arrays::Tile& tile) {
  using Tile = typename Arrays::Tile;
  constexpr unsigned kThreads = kTileTeam.threads;
  constexpr unsigned kItems = kTileTeam.items;
  typename Tile::Item items[kItems];
#pragma unroll
  for (unsigned r = 0; r < kItems; ++r) {
    const unsigned position = r * kThreads + threadIdx.x;
    items[r] = position < count ? arrays.load(position) : Tile::infinity();
  }
  const typename Tile::Before before;
  cuda::merge_items<kItems>(items, before);
#pragma unroll 1
  for (unsigned mask = kThreads / 2; mask > 0; mask /= 2) {
    cuda::exchange<false, kThreads, kItems>(items, mask, (threadIdx.x & mask) == 0, tile, before);
  }
#pragma unroll
  for (unsigned r = 0; r < kItems; ++r) {
    const unsigned position = r * kThreads + threadIdx.x;
    if (position < count) arrays.store(position, items[r]);
  }
}

enum class TileWork { kSort, kFinishMerge };

/// Works on tile number `index` of the first `count` items of `arrays`. `shared` has kTileBytes.
template <TileWork kWork, class Arrays>
__device__ void work_on_tile(const Arrays& arrays, std::uint64_t index, std::uint64_t count, std::byte* shared) {
  const std::uint64_t left = count - index * kBitonicTile;
  const unsigned tile_count = left < kBitonicTile ? static_cast<unsigned>(left) : kBitonicTile;
  const Arrays items = arrays.from(index * kBitonicTile);
  const auto tile = Arrays::tile_in(shared, padded_items(kBitonicTile, Arrays::kItemBytes));
  if constexpr (kWork == TileWork::kSort) {
    sort_by_team<kTileTeam>(items, tile_count, tile);
  } else {
    merge_tile(items, tile_count, tile);
  }
}

/// Makes log2(kItems) steps of a merge, from `size` on, for one group of the first `count` items of
/// `arrays`.
template <unsigned kItems, class Arrays>
__device__ void merge_group(const Arrays& arrays, std::uint64_t count, std::uint64_t group, std::uint64_t size,
                            bool mirrored) {
  using Order = typename Arrays::Tile;
  constexpr unsigned kHalf = kItems / 2;
  typename Order::Item items[kItems];
#pragma unroll
  for (unsigned i = 0; i < kItems; ++i) {
    const std::uint64_t position = group_position(group, i, kItems, size, mirrored);
    items[i] = position < count ? arrays.load(position) : Order::infinity();
  }
  const typename Order::Before before;
  if (mirrored) {
#pragma unroll
    for (unsigned i = 0; i < kHalf; ++i) cuda::compare_exchange(items[i], items[kItems - 1 - i], before);
  } else {
#pragma unroll
    for (unsigned i = 0; i < kHalf; ++i) cuda::compare_exchange(items[i], items[i + kHalf], before);
  }
  cuda::merge_items<kHalf>(items, before);
  cuda::merge_items<kHalf>(items + kHalf, before);
#pragma unroll
  for (unsigned i = 0; i < kItems; ++i) {
    const std::uint64_t position = group_position(group, i, kItems, size, mirrored);
    if (position < count) arrays.store(position, items[i]);
  }
}

}  // namespace sortie::kernels
