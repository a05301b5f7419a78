// Sorts a few thousand items in one launch. The blocks of a cluster each sort a tile, in registers, by shuffles and
// through shared memory. Then every block reads the others' tiles, and each item goes to its own index plus its ranks
// in the other tiles. All items are read before the first is written, so the sort is in place. One block needs no
// cluster; clusters need compute capability 9.0.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cooperative_groups.h>

#include "kernels/bitonic/bitonic_arrays.cuh"
#include "kernels/bitonic/bitonic_network.cuh"

namespace sortie::kernels {

/// A cluster of kBlocks tiles with 4 items per thread. The number of threads is a power of two, at least 32.
template <unsigned kBlockCount, unsigned kThreadCount>
struct ClusterShape {
  static constexpr unsigned kBlocks = kBlockCount;
  static constexpr unsigned kThreads = kThreadCount;
  static constexpr unsigned kItems = 4;
  static constexpr unsigned kTile = kThreads * kItems;
  static constexpr unsigned kCapacity = kBlocks * kTile;
};

/// The arrays as they are to be stored to.
template <class Shape, class Arrays>
__device__ Arrays with_values_held(const Arrays& arrays, std::byte*, unsigned) {
  return arrays;
}
/// Begins to read all values: they are there behind the next barrier. `shared`: the tiles, with room behind them.
template <class Shape, class Value, class Codec>
__device__ PlacedPairs<Value, Codec> with_values_held(const PlacedPairs<Value, Codec>& arrays, std::byte* shared,
                                                      unsigned count) {
  constexpr unsigned kValuesOfUnit = sizeof(uint4) / sizeof(Value);
  PlacedPairs<Value, Codec> holding = arrays;
  holding.held = reinterpret_cast<Value*>(shared + Shape::kCapacity * PlacedPairs<Value, Codec>::Tile::kItemBytes);
  const auto* const units = reinterpret_cast<const uint4*>(arrays.values);
  const unsigned unit_count = count / kValuesOfUnit;
  for (unsigned unit = threadIdx.x; unit < unit_count; unit += Shape::kThreads) {
    reinterpret_cast<uint4*>(holding.held)[unit] = units[unit];
  }
  for (unsigned i = unit_count * kValuesOfUnit + threadIdx.x; i < count; i += Shape::kThreads) {
    holding.held[i] = arrays.values[i];
  }
  return holding;
}

#if __CUDA_ARCH__ >= 900

/// The number of the tile that is `distance` behind tile `rank`, in a circle.
template <class Shape>
__device__ unsigned other_tile(unsigned rank, unsigned distance) {
  return (rank + distance) % Shape::kBlocks;
}

/// Copies an array's other tiles from the other blocks' shared memory, with all copies under way at once.
template <class Shape, class T>
__device__ void read_other_tiles(T* tiles, unsigned rank) {
  constexpr unsigned kUnits = Shape::kTile * sizeof(T) / sizeof(uint4);
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  auto* units = reinterpret_cast<uint4*>(tiles);
  for (unsigned unit = threadIdx.x; unit < kUnits; unit += Shape::kThreads) {
    uint4 loaded[Shape::kBlocks];
#pragma unroll
    for (unsigned distance = 1; distance < Shape::kBlocks; ++distance) {
      const unsigned tile = other_tile<Shape>(rank, distance);
      loaded[distance] = cluster.map_shared_rank(units, tile)[tile * kUnits + unit];
    }
#pragma unroll
    for (unsigned distance = 1; distance < Shape::kBlocks; ++distance) {
      units[other_tile<Shape>(rank, distance) * kUnits + unit] = loaded[distance];
    }
  }
}
template <class Shape, class Key>
__device__ void read_all_tiles(const BitonicKeys<Key>& tiles, unsigned rank) {
  read_other_tiles<Shape>(tiles.keys, rank);
}
template <class Shape, class Key, class Value>
__device__ void read_all_tiles(const BitonicPairs<Key, Value>& tiles, unsigned rank) {
  read_other_tiles<Shape>(tiles.keys, rank);
  read_other_tiles<Shape>(tiles.values, rank);
}

/// Sets counts[d] to the number of items less than bounds[d] in the tile at distance d. The searches run side by side,
/// without branches.
template <class Shape, class Tiles>
__device__ void count_less(const Tiles& tiles, unsigned rank, const typename Tiles::Number (&bounds)[Shape::kBlocks],
                           unsigned (&counts)[Shape::kBlocks]) {
  const auto is_less = [&](unsigned distance, unsigned position) {
    const auto item = tiles.load(other_tile<Shape>(rank, distance) * Shape::kTile + position);
    return Tiles::number_of(item) < bounds[distance];
  };
#pragma unroll
  for (unsigned distance = 1; distance < Shape::kBlocks; ++distance) counts[distance] = 0;
#pragma unroll 1
  for (unsigned half = Shape::kTile / 2; half > 0; half /= 2) {
#pragma unroll
    for (unsigned distance = 1; distance < Shape::kBlocks; ++distance) {
      counts[distance] += is_less(distance, counts[distance] + half - 1) ? half : 0;
    }
  }
#pragma unroll
  for (unsigned distance = 1; distance < Shape::kBlocks; ++distance) {
    counts[distance] += is_less(distance, counts[distance]) ? 1 : 0;
  }
}

/// The number of items of the other tiles that go before `item`. Equal items of earlier tiles go before it.
template <class Shape, class Tiles>
__device__ unsigned rank_in_other_tiles(const Tiles& tiles, unsigned rank, const typename Tiles::Item& item) {
  const typename Tiles::Number number = Tiles::number_of(item);
  typename Tiles::Number bounds[Shape::kBlocks];
#pragma unroll
  for (unsigned distance = 1; distance < Shape::kBlocks; ++distance) {
    bounds[distance] = number + (other_tile<Shape>(rank, distance) < rank ? 1 : 0);
  }
  unsigned counts[Shape::kBlocks];
  count_less<Shape>(tiles, rank, bounds, counts);
  unsigned sum = 0;
#pragma unroll
  for (unsigned distance = 1; distance < Shape::kBlocks; ++distance) {
    const bool nothing_is_greater = bounds[distance] < number;  // the bound overflowed to zero
    sum += nothing_is_greater ? Shape::kTile : counts[distance];
  }
  return sum;
}

template <class Shape, class Tiles, class Arrays>
__device__ void store_by_rank(const Tiles& tiles, unsigned rank, const Arrays& out, unsigned count) {
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  cluster.sync();
  read_all_tiles<Shape>(tiles, rank);
  cluster.sync();  // no block leaves while its tile may still be read
#pragma unroll 2
  for (unsigned i = threadIdx.x; i < Shape::kTile; i += Shape::kThreads) {
    const typename Tiles::Item item = tiles.load(rank * Shape::kTile + i);
    const unsigned position = i + rank_in_other_tiles<Shape>(tiles, rank, item);
    if (position < count) out.store(position, item);
  }
}

#endif

/// Pads the items with infinities, which end up behind them. Dynamic shared memory: cluster_shared_bytes().
template <class Arrays, class Shape>
__global__ void __launch_bounds__(Shape::kThreads) bitonic_cluster_kernel(const Arrays arrays, unsigned count) {
  extern __shared__ uint4 dynamic_shared[];
  auto* shared = reinterpret_cast<std::byte*>(dynamic_shared);
  const unsigned rank = blockIdx.x;
  using Tile = typename Arrays::Tile;
  const Tile tiles = Arrays::tile_in(shared, Shape::kCapacity);
  const Tile own = tiles.from(rank * Shape::kTile);
  const Arrays out = with_values_held<Shape>(arrays, shared, count);
  typename Tile::Item items[Shape::kItems];
#pragma unroll
  for (unsigned r = 0; r < Shape::kItems; ++r) {
    const unsigned i = rank * Shape::kTile + r * Shape::kThreads + threadIdx.x;
    items[r] = i < count ? arrays.load(i) : Tile::infinity();
  }
  sort_team<Shape::kThreads>(items, own);
#pragma unroll
  for (unsigned r = 0; r < Shape::kItems; ++r) own.store(threadIdx.x * Shape::kItems + r, items[r]);
  if constexpr (Shape::kBlocks == 1) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += Shape::kThreads) out.store(i, own.load(i));
  } else {
#if __CUDA_ARCH__ >= 900
    store_by_rank<Shape>(tiles, rank, out, count);
#endif
  }
}

template <class Arrays, class Shape>
constexpr unsigned cluster_shared_bytes() {
  return Shape::kCapacity * Arrays::kItemBytes;
}

}  // namespace sortie::kernels
