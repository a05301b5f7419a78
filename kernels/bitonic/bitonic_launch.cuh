// The launches of a bitonic sort. If a cluster of blocks holds all items there is one; otherwise tiles are sorted in
// shared memory, with steps between them. For the files that instantiate the sort.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/bitonic/bitonic_cluster.cuh"
#include "kernels/bitonic/bitonic_tile.cuh"
#include "kernels/bitonic_sort.hpp"
#include "kernels/common/cluster_launch.cuh"
#include "kernels/common/key_codec.hpp"
#include "kernels/common/launch.hpp"

namespace sortie::kernels {

template <TileWork kWork, class Arrays>
__global__ void __launch_bounds__(kTileTeam.threads) bitonic_tile_kernel(const Arrays arrays, std::uint64_t count) {
  __shared__ __align__(16) std::byte shared[kTileBytes<Arrays>];
  work_on_tile<kWork>(arrays, blockIdx.x, count, shared);
}

inline constexpr unsigned kGroupThreads = 256;

/// Runs steps whose comparators reach across tiles.
template <unsigned kItems, class Arrays>
__global__ void __launch_bounds__(kGroupThreads)
    bitonic_group_kernel(const Arrays arrays, std::uint64_t count, std::uint64_t size, bool mirrored) {
  const std::uint64_t group = std::uint64_t{blockIdx.x} * kGroupThreads + threadIdx.x;
  if (group < group_count(count, kItems, size)) merge_group<kItems>(arrays, count, group, size, mirrored);
}

template <unsigned kItems, class Arrays>
void launch_groups(const Arrays& arrays, std::uint64_t count, std::uint64_t size, bool mirrored, cudaStream_t stream) {
  const unsigned grid = grid_of_tiles(divide_up(group_count(count, kItems, size), kGroupThreads));
  bitonic_group_kernel<kItems><<<grid, kGroupThreads, 0, stream>>>(arrays, count, size, mirrored);
  check_launch("bitonic group kernel");
}

template <class Shape, class Arrays>
void launch_cluster(const Arrays& arrays, unsigned count, cudaStream_t stream) {
  launch_in_cluster(bitonic_cluster_kernel<Arrays, Shape>, "bitonic cluster kernel",
                    {Shape::kBlocks, Shape::kThreads, cluster_shared_bytes<Arrays, Shape>()}, stream, arrays, count);
}

/// Shapes in ascending order of capacity. Each was the fastest of some 14 for as many items on an H200, by time per
/// call.
template <class... Shapes>
struct ClusterShapes {};

/// Times for u32: 1.7, 2.5, 3.4, 4.9, 5.7 and 8.2 us; for u64: 2.2, 3.2, 5.3, 6.1, 7.3 and 11.1 us. The last shape was
/// compared with launches of tiles alone: u32 14.0 us for 14.8.
using NumberShapes = ClusterShapes<ClusterShape<1, 32>, ClusterShape<1, 128>, ClusterShape<1, 256>, ClusterShape<8, 64>,
                                   ClusterShape<8, 128>, ClusterShape<8, 256>, ClusterShape<8, 512>>;
/// Times for u64 + u32: 4.1, 5.0, 7.7, 9.2, 12.0 and 21.3 us.
using PairShapes = ClusterShapes<ClusterShape<1, 32>, ClusterShape<1, 128>, ClusterShape<4, 64>, ClusterShape<4, 128>,
                                 ClusterShape<8, 128>, ClusterShape<8, 256>>;

/// NumberShapes for items that are one number, PairShapes for the others.
template <class Arrays>
using ClusterShapesOf = std::conditional_t<std::is_integral_v<typename Arrays::Item>, NumberShapes, PairShapes>;

/// Sorts in one launch. Returns false if no shape that the device can run holds so many items.
template <class... Shapes, class Arrays>
bool sort_in_cluster(ClusterShapes<Shapes...>, const Arrays& arrays, std::uint64_t count, cudaStream_t stream) {
  const auto sorts = [&]<class Shape>(Shape) {
    if (count > Shape::kCapacity) return false;
    if (cluster_shared_bytes<Arrays, Shape>() > shared_bytes_per_block()) return false;
    if (Shape::kBlocks > 1 && !has_code_for_90(bitonic_cluster_kernel<Arrays, Shape>)) return false;
    launch_cluster<Shape>(arrays, static_cast<unsigned>(count), stream);
    return true;
  };
  return (sorts(Shapes()) || ...);
}

/// Launches the steps of a merge of `size` items that reach across tiles.
template <class Arrays>
void merge_across_tiles(const Arrays& arrays, std::uint64_t count, std::uint64_t size, cudaStream_t stream) {
  bool mirrored = true;
  while (size > kBitonicTile) {
    const unsigned items = group_items(size, kBitonicTile);
    if (items == 8) {
      launch_groups<8>(arrays, count, size, mirrored, stream);
    } else if (items == 4) {
      launch_groups<4>(arrays, count, size, mirrored, stream);
    } else {
      launch_groups<2>(arrays, count, size, mirrored, stream);
    }
    size /= items;
    mirrored = false;
  }
}

template <class Arrays>
void sort_in_tiles(const Arrays& arrays, std::uint64_t count, cudaStream_t stream) {
  const unsigned tiles = grid_of_tiles(divide_up(count, kBitonicTile));
  bitonic_tile_kernel<TileWork::kSort><<<tiles, kTileTeam.threads, 0, stream>>>(arrays, count);
  check_launch("bitonic tile sort kernel");
  for (std::uint64_t merged = 2 * std::uint64_t{kBitonicTile}; merged / 2 < count; merged *= 2) {
    merge_across_tiles(arrays, count, merged, stream);
    bitonic_tile_kernel<TileWork::kFinishMerge><<<tiles, kTileTeam.threads, 0, stream>>>(arrays, count);
    check_launch("bitonic tile merge kernel");
  }
}

/// Sorts numbers in `order`; `values` is null if Value is NoValue.
template <class Key, class Value>
void bitonic_sort(Key* keys, Value* values, std::uint64_t count, SortOrder order, cudaStream_t stream) {
  if (count < 2) return;
  with_codec<Key>(order, [&](const auto& codec) {
    const auto arrays = bitonic_arrays(as_codes(keys), values, codec);
    using Arrays = std::remove_const_t<decltype(arrays)>;
    if (!sort_in_cluster(ClusterShapesOf<Arrays>(), arrays, count, stream)) sort_in_tiles(arrays, count, stream);
  });
}

template <SortKey Key, SortValue Value>
void bitonic_sort_pairs(Key* keys, Value* values, std::uint64_t count, SortOrder order, cudaStream_t stream) {
  bitonic_sort(keys, values, count, order, stream);
}

/// Instantiates the sorts of pairs whose values are of this type.
#define SORTIE_BITONIC_SORTS_OF_PAIRS(Value)                                                        \
  template void bitonic_sort_pairs(std::uint32_t*, Value*, std::uint64_t, SortOrder, cudaStream_t); \
  template void bitonic_sort_pairs(std::int32_t*, Value*, std::uint64_t, SortOrder, cudaStream_t);  \
  template void bitonic_sort_pairs(float*, Value*, std::uint64_t, SortOrder, cudaStream_t);         \
  template void bitonic_sort_pairs(std::uint64_t*, Value*, std::uint64_t, SortOrder, cudaStream_t); \
  template void bitonic_sort_pairs(std::int64_t*, Value*, std::uint64_t, SortOrder, cudaStream_t);  \
  template void bitonic_sort_pairs(double*, Value*, std::uint64_t, SortOrder, cudaStream_t);

}  // namespace sortie::kernels
