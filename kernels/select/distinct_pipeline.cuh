// The same as distinct_items.cuh, by blocks that stay: while one tile is looked at, the next one is on its way to
// shared memory, and what the one before it keeps waits there for its place.
#pragma once

#include "kernels/common/async_copy.cuh"
#include "kernels/select/distinct_items.cuh"

namespace sortie::kernels {

inline constexpr unsigned kDistinctStages = 3;

template <class Bits, class Shape, bool kKeepsLast>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    keep_distinct_in_turn_kernel(const __grid_constant__ DistinctCall<Bits> call) {
  using Area = DistinctArea<Bits, NoValue, Shape>;
  using Share = DistinctShare<Bits, Shape::kVectors, kKeepsLast>;
  constexpr unsigned kTileVectors = Shape::kThreads * Shape::kVectors;
  extern __shared__ uint4 memory[];
  __shared__ DistinctCounts<Shape> counts;
  __shared__ unsigned claimed[2];
  await_launch_before();
  const unsigned tile_count = static_cast<unsigned>((call.list.end + Area::kTile - 1) / Area::kTile);
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const auto is_whole = [&](std::uint64_t begin) {
    return begin >= call.list.begin && begin + Area::kTile <= call.list.end;
  };
  const auto fetch = [&](unsigned tile, unsigned stage) {
    const std::uint64_t begin = std::uint64_t{tile} * Area::kTile;
    if (tile >= tile_count || !is_whole(begin)) return;
    const auto* const from = reinterpret_cast<const uint4*>(call.list.keys + begin);
#pragma unroll
    for (unsigned v = 0; v < Shape::kVectors; ++v) {
      const unsigned i = warp * 32 * Shape::kVectors + v * 32 + lane;
      copy_async<16>(memory + stage * kTileVectors + i, from + i);
    }
  };
  if (threadIdx.x == 0) {
    claimed[0] = atomicAdd(call.scan.tile_counter, 1u);
    claimed[1] = atomicAdd(call.scan.tile_counter, 1u);
  }
  __syncthreads();
  unsigned tile = claimed[0];
  fetch(tile, 0);
  unsigned stage = 0;
  unsigned before = 0;
  unsigned before_kept = 0;
  bool has_before = false;
  for (unsigned turn = 0;; ++turn) {
    await_copies();
    __syncthreads();  // the tile is there, and the one two before it is written
    const bool is_there = tile < tile_count;
    const unsigned following = claimed[(turn + 1) % 2];
    const unsigned next_stage = stage + 1 == kDistinctStages ? 0 : stage + 1;
    fetch(following, next_stage);
    const std::uint64_t tile_begin = std::uint64_t{tile} * Area::kTile;
    Share share(tile_begin + warp * Share::kWarpItems);
    unsigned own = 0;
    if (is_there) {
      share.load_neighbour(call.list);
      if (is_whole(tile_begin)) {
        share.load_staged(memory + stage * kTileVectors + warp * 32 * Shape::kVectors);
      } else {
        share.load_some(call.list);
      }
      share.compare();
      if (tile == 0 || tile + 1 == tile_count) share.mend(call.list);
      own = share.count();
    }
    if (lane == 0) counts.of_warps[warp] = own;
    __syncthreads();
    const unsigned of_warp = lane < Shape::kWarps ? counts.of_warps[lane] : 0;
    const unsigned inclusive = warp_inclusive_sum(of_warp);
    const unsigned kept = __shfl_sync(~0u, inclusive, 31);
    if (is_there) {
      if (threadIdx.x == 0) publish_aggregate(call.scan.status, tile, kept);
      Bits* const keys = reinterpret_cast<Bits*>(memory + stage * kTileVectors);
      share.each_kept(__shfl_sync(~0u, inclusive - of_warp, warp),
                      [&](unsigned place, unsigned v, unsigned k) { keys[place] = share.key(v, k); });
    }
    if (warp == 0) {
      if (threadIdx.x == 0) claimed[turn % 2] = atomicAdd(call.scan.tile_counter, 1u);
      if (has_before) {
        const std::uint64_t prefix = prefix_of_published<Shape::kRows>(call.scan.status, before, before_kept);
        if (threadIdx.x == 0) counts.prefix = prefix;
        if (threadIdx.x == 0 && before + 1 == tile_count) *call.out.count = prefix + before_kept;
      }
    }
    __syncthreads();
    if (has_before) {
      const unsigned before_stage = stage == 0 ? kDistinctStages - 1 : stage - 1;
      const Area area(memory + before_stage * kTileVectors);
      write_kept(call, area, 0, before_kept, counts.prefix);
    }
    if (!is_there) return;
    has_before = true;
    before = tile;
    before_kept = kept;
    tile = following;
    stage = next_stage;
  }
}

template <class Bits, class Shape, bool kKeepsLast>
void launch_distinct_in_turn(DistinctCall<Bits> call, void* scratch, cudaStream_t stream) {
  using Area = DistinctArea<Bits, NoValue, Shape>;
  const std::uint64_t tile_count = divide_up(call.list.end, std::uint64_t{Area::kTile});
  ScratchLayout layout(scratch);
  call.scan = scan_state(layout, tile_count);
  const std::uint64_t words = call.scan.size_bytes / sizeof(std::uint64_t);
  clear_words_kernel<kClearThreads><<<grid_of_tiles(divide_up(words, kClearThreads)), kClearThreads, 0, stream>>>(
      static_cast<std::uint64_t*>(scratch), words);
  check_launch("kernel that clears the words of a selection");
  const auto kernel = keep_distinct_in_turn_kernel<Bits, Shape, kKeepsLast>;
  constexpr const char* kName = "kernel that keeps distinct items";
  constexpr std::uint64_t kBytes = kDistinctStages * Area::kBytes;
  allow_shared_bytes(kernel, kBytes, kName);
  launch_overlapping(kernel, kName, {persistent_grid(tile_count, Shape::kBlocks), Shape::kThreads, kBytes},
                     has_code_for_90(kernel), stream, call);
}

}  // namespace sortie::kernels
