// The launch of a radix sort of few items, which the blocks of one cluster sort (radix_cluster.cuh).
#pragma once

#include <cstdint>

#include "kernels/common/cluster_launch.cuh"
#include "kernels/common/launch.hpp"
#include "kernels/radix/radix_cluster.cuh"

namespace sortie::kernels {

/// Shapes in ascending order of capacity. Each was the fastest of ten on an H100 for as many items, that of 4096 short
/// keys of six on an H200 (tools/bench/RESULTS-kernels.md).
template <class... Shapes>
struct RadixClusterShapes {};
using NarrowShapes =
    RadixClusterShapes<RadixClusterShape<256, 4, 1>, RadixClusterShape<256, 8, 1>, RadixClusterShape<256, 16, 1>,
                       RadixClusterShape<256, 4, 8>, RadixClusterShape<256, 8, 8>>;
/// More keys of 8 bytes are left to the sample sort.
using WideShapes = RadixClusterShapes<RadixClusterShape<256, 4, 1>, RadixClusterShape<256, 8, 1>,
                                      RadixClusterShape<512, 8, 1>, RadixClusterShape<256, 4, 8>>;

template <class Tile, class Key, class Value, class Codec>
void launch_cluster(const RadixArrays<Key, Value>& arrays, const Codec& codec, unsigned count, BitRange bits,
                    cudaStream_t stream) {
  launch_in_cluster(
      radix_cluster_kernel<Key, Value, Codec, Tile>, "radix cluster kernel",
      {grid_of_tiles(divide_up(count, Tile::kItems)), Tile::kThreads, sizeof(RadixClusterShared<Key, Value, Tile>)},
      stream, arrays, codec, count, bits);
}

/// Sorts in one launch. Returns false if no shape that the device can run holds so many items.
template <class... Shapes, class Key, class Value, class Codec>
bool sort_in_cluster(RadixClusterShapes<Shapes...>, const RadixArrays<Key, Value>& arrays, const Codec& codec,
                     std::uint64_t count, BitRange bits, cudaStream_t stream) {
  const auto sorts = [&]<class Shape>(Shape) {
    using Tile = typename Shape::Tile;
    if (count > Shape::kCapacity) return false;
    if (sizeof(RadixClusterShared<Key, Value, Tile>) > shared_bytes_per_block()) return false;
    if (count > Tile::kItems && !has_code_for_90(radix_cluster_kernel<Key, Value, Codec, Tile>)) return false;
    launch_cluster<Tile>(arrays, codec, static_cast<unsigned>(count), bits, stream);
    return true;
  };
  return (sorts(Shapes()) || ...);
}

}  // namespace sortie::kernels
