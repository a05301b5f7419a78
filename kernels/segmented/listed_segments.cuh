// Sorts the segments of the lists: some hundred items by a warp each, in registers, some thousand by a block each, in
// registers or by a radix sort in shared memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/look_back.cuh"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/radix/radix_cluster.cuh"
#include "kernels/segmented/segment_lists.cuh"
#include "kernels/segmented/segment_team.cuh"

namespace sortie::kernels {

/// With the first of the teams of so many threads that holds the segment; one does.
template <unsigned kThreads, unsigned... kItems, class Arrays>
__device__ void sort_by_first_fitting(const Arrays& arrays, const Segment& segment, const typename Arrays::Tile& tile) {
  const auto sorts = [&]<unsigned kCount>() {
    constexpr BitonicTeam kTeam{kThreads, kCount};
    if (segment.count > kTeam.capacity()) return false;
    sort_segment<kTeam>(arrays, segment, tile);
    return true;
  };
  (sorts.template operator()<kItems>() || ...);
}

/// Held to so few registers that nothing spills would be too many blocks: of segments of 1000, u32 took 18% longer then
/// (H200, 2^24 items).
template <class Arrays>
__global__ void __launch_bounds__(kWarpSegmentThreads)
    sort_warp_segments_kernel(const __grid_constant__ Arrays arrays, const SegmentList list) {
  using Tile = typename Arrays::Tile;
  constexpr unsigned kItems = warp_thread_items(Tile::kItemBytes);
  constexpr unsigned kWarps = kWarpSegmentThreads / 32;
  constexpr unsigned kWarpTile = padded_items(32 * kItems, Tile::kItemBytes);
  __shared__ __align__(16) std::byte shared[kWarps][kWarpTile * Tile::kItemBytes];
  const unsigned warp = threadIdx.x / 32;
  const Tile tile = Tile::tile_in(shared[warp], kWarpTile);
  await_launch_before();
  for (std::uint32_t i = blockIdx.x * kWarps + warp; i < list.size(); i += gridDim.x * kWarps) {
    if constexpr (kItems == 32) {
      sort_by_first_fitting<32, 12, 16, 24, 32>(arrays, list.segments[i], tile);
    } else {
      sort_by_first_fitting<32, 12, 16>(arrays, list.segments[i], tile);
    }
  }
}

/// As a warp does, with four times as many threads.
template <class Arrays>
__global__ void __launch_bounds__(kNetworkBlockThreads)
    sort_network_segments_kernel(const __grid_constant__ Arrays arrays, const SegmentList list) {
  using Tile = typename Arrays::Tile;
  constexpr unsigned kTileItems = padded_items(kNetworkBlockCapacity, Tile::kItemBytes);
  __shared__ __align__(16) std::byte shared[kTileItems * Tile::kItemBytes];
  const Tile tile = Tile::tile_in(shared, kTileItems);
  await_launch_before();
  while (true) {
    const unsigned at = claim_tile(list.taken);
    if (at >= list.size()) return;
    sort_by_first_fitting<kNetworkBlockThreads, 12, 16, 24, 32>(arrays, list.segments[at], tile);
  }
}

/// Blocks with so many items a thread, and with fewer for shorter segments.
template <unsigned kBlockThreads, unsigned kBlocksPerMultiprocessor, unsigned kFewerItems, unsigned kMostItems>
struct BlockSegmentShape {
  static constexpr unsigned kThreads = kBlockThreads;
  static constexpr unsigned kBlocks = kBlocksPerMultiprocessor;
  using Fewer = RadixClusterTile<kThreads, kFewerItems>;
  using Most = RadixClusterTile<kThreads, kMostItems>;
};
using SmallBlockShape = BlockSegmentShape<kSmallBlockThreads, 4, kSmallBlockCapacity / kSmallBlockThreads / 2,
                                          kSmallBlockCapacity / kSmallBlockThreads>;
template <class Code, unsigned kItems = large_block_capacity(sizeof(Code)) / kLargeBlockThreads>
using LargeBlockShape = BlockSegmentShape<kLargeBlockThreads, 2, kItems == 16 ? 8 : 6, kItems>;

template <class Tile, class Code, class Value>
__device__ void sort_in_block(const SegmentArrays<Code, Value>& arrays, const Segment& segment, unsigned char* bytes) {
  const RadixArrays<Code, Value> own{arrays.keys + segment.begin, nullptr,
                                     kHasValue<Value> ? arrays.values + segment.begin : nullptr, nullptr};
  auto& shared = *reinterpret_cast<RadixClusterShared<Code, Value, Tile>*>(bytes);
  RadixClusterSort<Code, Value, KeyCodec<Code>, Tile, false>(
      own, own, arrays.codec, static_cast<unsigned>(segment.count), {0, 8 * sizeof(Code)}, shared)
      .run();
}

template <class Shape, class Code, class Value>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    sort_block_segments_kernel(const __grid_constant__ SegmentArrays<Code, Value> arrays, const SegmentList list) {
  extern __shared__ __align__(16) unsigned char segment_bytes[];
  await_launch_before();
  while (true) {
    const unsigned at = claim_tile(list.taken);
    if (at >= list.size()) return;
    const Segment segment = list.segments[at];
    if (segment.count <= Shape::Fewer::kItems) {
      sort_in_block<typename Shape::Fewer>(arrays, segment, segment_bytes);
    } else {
      sort_in_block<typename Shape::Most>(arrays, segment, segment_bytes);
    }
    __syncthreads();
  }
}

}  // namespace sortie::kernels
