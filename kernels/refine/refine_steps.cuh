// The kernels of a refinement round: they make the second sort key, write the order found so far, and find the items
// that are still tied.
#pragma once

#include <cstdint>

#include "kernels/common/look_back.cuh"
#include "kernels/refine/refine_plan.hpp"

namespace sortie::kernels {

static __global__ void __launch_bounds__(kRefineThreads)
    number_items_kernel(std::uint32_t* numbers, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kRefineThreads + threadIdx.x;
  if (i < count) numbers[i] = static_cast<std::uint32_t>(i);
}

/// Makes segment keys in the order by word. Also makes the numbers 0, 1, 2, ..., which the sort by segment keys turns
/// into ranks.
static __global__ void __launch_bounds__(kRefineThreads)
    make_segment_keys_kernel(const __grid_constant__ RecordKeys keys, const RefineArrays arrays, std::uint64_t count,
                             std::uint64_t word_index) {
  const std::uint64_t r = std::uint64_t{blockIdx.x} * kRefineThreads + threadIdx.x;
  if (r >= count) return;
  const std::uint32_t tied = arrays.order[r];
  const SegmentKey segment_key(keys.plan);
  const std::uint64_t length = segment_key.lines ? keys.length(arrays.items[tied]) : 0;
  arrays.segment_keys[r] = segment_key.of(arrays.segments[tied], length, word_index);
  arrays.ranks[r] = static_cast<std::uint32_t>(r);
}

static __global__ void __launch_bounds__(kRefineThreads)
    write_order_kernel(const RefineArrays arrays, std::uint64_t count, std::uint32_t* indices) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * kRefineThreads + threadIdx.x;
  if (k < count) indices[arrays.positions[k]] = arrays.items[arrays.order[arrays.ranks[k]]];
}

/// All items before the first round. They are tied if they share a prefix.
struct PrefixTies {
  const std::uint64_t* prefixes;
  const std::uint32_t* indices;

  __device__ bool same(std::uint64_t k) const { return prefixes[k] == prefixes[k - 1]; }
  __device__ std::uint32_t position(std::uint64_t k) const { return static_cast<std::uint32_t>(k); }
  __device__ std::uint32_t item(std::uint64_t k) const { return indices[k]; }
};

/// The tied items after a round. They are still tied if neither of the two sort keys tells them apart.
struct RoundTies {
  RefineArrays arrays;
  SegmentKey segment_key;

  __device__ bool same(std::uint64_t k) const {
    const std::uint32_t key = arrays.segment_keys[k];
    return key == arrays.segment_keys[k - 1] && segment_key.goes_on(key) &&
           arrays.words[arrays.ranks[k]] == arrays.words[arrays.ranks[k - 1]];
  }
  __device__ std::uint32_t position(std::uint64_t k) const { return arrays.positions[k]; }
  __device__ std::uint32_t item(std::uint64_t k) const { return arrays.items[arrays.order[arrays.ranks[k]]]; }
};

/// The arrays that find_ties_kernel() writes. It does not read them.
struct TiedItems {
  std::uint32_t* positions;
  std::uint32_t* segments;
  std::uint32_t* items;
  std::uint64_t* count;
};

/// Compacts the items that are tied with a neighbour, and numbers their segments.
template <class Ties>
__global__ void __launch_bounds__(kRefineThreads)
    find_ties_kernel(const Ties ties, std::uint64_t count, const TiedItems out, const ScanState scan) {
  __shared__ TileScanStorage<kRefineThreads> storage;
  const unsigned tile = claim_tile(scan.tile_counter);
  const std::uint64_t first = std::uint64_t{tile} * kRefineTile + threadIdx.x * kRefineItems;
  bool same[kRefineItems + 1];
#pragma unroll
  for (unsigned k = 0; k <= kRefineItems; ++k) same[k] = first + k > 0 && first + k < count && ties.same(first + k);
  unsigned tied_count = 0;
  unsigned head_count = 0;
#pragma unroll
  for (unsigned k = 0; k < kRefineItems; ++k) {
    tied_count += same[k] || same[k + 1] ? 1 : 0;
    head_count += !same[k] && same[k + 1] ? 1 : 0;
  }
  std::uint64_t target = scan_tile<kRefineThreads>(storage, scan.status, tile, tied_count);
  std::uint64_t segments = scan_tile<kRefineThreads>(storage, scan.status + gridDim.x, tile, head_count);
#pragma unroll
  for (unsigned k = 0; k < kRefineItems; ++k) {
    if (!same[k] && !same[k + 1]) continue;
    if (!same[k]) ++segments;
    out.positions[target] = ties.position(first + k);
    out.segments[target] = static_cast<std::uint32_t>(segments - 1);
    out.items[target] = ties.item(first + k);
    ++target;
  }
  if (tile + 1 == gridDim.x && threadIdx.x + 1 == kRefineThreads) *out.count = target;
}

}  // namespace sortie::kernels
