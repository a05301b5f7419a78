// An exclusive prefix sum in one pass over the data, by decoupled look-back. A building block of kernels whose outputs
// vary in size: line scan, gather of lines, compaction of tied items.
#pragma once

#include <cstdint>

#include <cub/block/block_scan.cuh>

#include "kernels/common/chained_scan.hpp"
#include "kernels/common/look_back.cuh"

namespace sortie::kernels {

/// Shared memory of scan_tile().
template <unsigned kThreads>
struct TileScanStorage {
  typename cub::BlockScan<std::uint64_t, kThreads>::TempStorage block;
  std::uint64_t prefix;
};

/// The sum of `value` over all threads before this one, in this tile and those before it. Called by all threads of the
/// block. Contains barriers, with one at its end, so that the storage may be reused.
template <unsigned kThreads>
__device__ std::uint64_t scan_tile(TileScanStorage<kThreads>& storage, std::uint64_t* status, unsigned tile,
                                   std::uint64_t value) {
  std::uint64_t before = 0;
  std::uint64_t total = 0;
  cub::BlockScan<std::uint64_t, kThreads>(storage.block).ExclusiveSum(value, before, total);
  if (threadIdx.x < 32) {
    const std::uint64_t prefix = tile_prefix(status, tile, total);
    if (threadIdx.x == 0) storage.prefix = prefix;
  }
  __syncthreads();
  const std::uint64_t result = storage.prefix + before;
  __syncthreads();
  return result;
}

}  // namespace sortie::kernels
