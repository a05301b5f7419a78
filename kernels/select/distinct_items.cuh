// One item of each row of equal keys, in one pass: a block compares the keys of a tile with their neighbours, finds the
// place of what it keeps by decoupled look-back, and writes it side by side.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/common/async_copy.cuh"
#include "kernels/common/launch.hpp"
#include "kernels/common/look_back.cuh"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/select/distinct_tile.cuh"
#include "kernels/select/value_copy.cuh"
#include "kernels/sort_types.hpp"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

/// Values that are copied one by one, as ValueCopy does.
struct AnyValue {};

template <class Bits>
struct DistinctCall {
  NumberedKeys<Bits> list;
  const std::byte* values;
  KeptItems<Bits> out;
  ValueCopy copy_value;
  std::uint64_t tile_count;
  ScanState scan;  ///< not used for a single tile
};

/// What a tile keeps, in shared memory: keys, and values or where they were.
template <class Bits, class Value, class Shape>
struct DistinctArea {
  static constexpr unsigned kTile = Shape::kThreads * Shape::kVectors * (16 / sizeof(Bits));
  static constexpr bool kHasPlaces = std::is_same_v<Value, AnyValue>;
  static constexpr bool kMovesValues = kHasValue<Value> && !kHasPlaces;
  using Beside = std::conditional_t<kHasPlaces, std::uint16_t, Value>;
  static constexpr std::uint64_t kBytes = kTile * (sizeof(Bits) + (kHasValue<Value> ? sizeof(Beside) : 0));

  Bits* keys;
  Beside* beside;

  __device__ explicit DistinctArea(void* area)
      : keys(static_cast<Bits*>(area)), beside(reinterpret_cast<Beside*>(keys + kTile)) {}
};

template <class Shape>
struct DistinctCounts {
  unsigned of_warps[Shape::kWarps];
  std::uint64_t prefix;
};

/// Writes what a tile keeps behind what the tiles before it keep.
template <class Bits, class Value, class Shape>
__device__ void write_kept(const DistinctCall<Bits>& call, const DistinctArea<Bits, Value, Shape>& area,
                           std::uint64_t tile_begin, unsigned kept, std::uint64_t prefix) {
  for (unsigned i = threadIdx.x; i < kept; i += Shape::kThreads) call.out.keys[prefix + i] = area.keys[i];
  if constexpr (area.kMovesValues) {
    auto* const values = reinterpret_cast<Value*>(call.out.values) + prefix;
    for (unsigned i = threadIdx.x; i < kept; i += Shape::kThreads) values[i] = area.beside[i];
  } else if constexpr (kHasValue<Value>) {
    const std::uint64_t bytes = call.copy_value.bytes;
    for (unsigned i = threadIdx.x; i < kept; i += Shape::kThreads) {
      call.copy_value(call.values + (tile_begin + area.beside[i] - call.list.begin) * bytes,
                      call.out.values + (prefix + i) * bytes);
    }
  }
}

template <class Bits, class Value, class Shape, bool kKeepsLast>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    keep_distinct_kernel(const __grid_constant__ DistinctCall<Bits> call) {
  using Area = DistinctArea<Bits, Value, Shape>;
  using Share = DistinctShare<Bits, Shape::kVectors, kKeepsLast>;
  extern __shared__ uint4 memory[];
  __shared__ DistinctCounts<Shape> counts;
  await_launch_before();
  const Area area(memory);
  const unsigned warp = threadIdx.x / 32;
  const unsigned tile = call.tile_count == 1 ? 0 : claim_tile(call.scan.tile_counter);
  const std::uint64_t tile_begin = std::uint64_t{tile} * Area::kTile;
  const bool is_whole = tile_begin >= call.list.begin && tile_begin + Area::kTile <= call.list.end;
  Share share(tile_begin + warp * Share::kWarpItems);
  share.load_neighbour(call.list);
  if (is_whole) {
    share.load(call.list);
  } else {
    share.load_some(call.list);
  }
  share.compare();
  if (tile == 0 || tile + 1 == call.tile_count) share.mend(call.list);
  std::conditional_t<Area::kMovesValues, typename Area::Beside, NoValue> values[Share::kItems];
  if constexpr (Area::kMovesValues) {
    const auto* const from = reinterpret_cast<const Value*>(call.values) - call.list.begin;
#pragma unroll
    for (unsigned v = 0; v < Shape::kVectors; ++v) {
#pragma unroll
      for (unsigned k = 0; k < Share::kPerVector; ++k) {
        if (share.is_kept(v, k)) values[v * Share::kPerVector + k] = from[share.number(v, k)];
      }
    }
  }
  const unsigned of_warp = share.count();
  if (threadIdx.x % 32 == 0) counts.of_warps[warp] = of_warp;
  __syncthreads();
  const unsigned own = threadIdx.x % 32 < Shape::kWarps ? counts.of_warps[threadIdx.x % 32] : 0;
  const unsigned inclusive = warp_inclusive_sum(own);
  const unsigned kept = __shfl_sync(~0u, inclusive, 31);
  if (threadIdx.x == 0 && call.tile_count > 1) publish_aggregate(call.scan.status, tile, kept);
  share.each_kept(__shfl_sync(~0u, inclusive - own, warp), [&](unsigned place, unsigned v, unsigned k) {
    area.keys[place] = share.key(v, k);
    if constexpr (Area::kMovesValues) area.beside[place] = values[v * Share::kPerVector + k];
    if constexpr (Area::kHasPlaces) area.beside[place] = static_cast<std::uint16_t>(share.number(v, k) - tile_begin);
  });
  if (warp == 0) {
    const std::uint64_t prefix =
        call.tile_count == 1 ? 0 : prefix_of_published<Shape::kRows>(call.scan.status, tile, kept);
    if (threadIdx.x == 0) counts.prefix = prefix;
    if (threadIdx.x == 0 && tile + 1 == call.tile_count) *call.out.count = prefix + kept;
  }
  __syncthreads();
  write_kept(call, area, tile_begin, kept, counts.prefix);
}

inline constexpr unsigned kClearThreads = 512;

/// Clears the words of the look-back. The kernel behind it begins meanwhile, which it cannot behind a
/// cudaMemsetAsync().
template <unsigned kThreads>
__global__ void __launch_bounds__(kThreads) clear_words_kernel(std::uint64_t* words, std::uint64_t count) {
  await_launch_before();
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) words[i] = 0;
}

/// Launches the kernels. `call`: without tile_count and scan.
template <class Bits, class Value, class Shape, bool kKeepsLast>
void launch_distinct(DistinctCall<Bits> call, void* scratch, cudaStream_t stream) {
  using Area = DistinctArea<Bits, Value, Shape>;
  call.tile_count = divide_up(call.list.end, std::uint64_t{Area::kTile});
  if (call.tile_count > 1) {
    ScratchLayout layout(scratch);
    call.scan = scan_state(layout, call.tile_count);
    const std::uint64_t words = call.scan.size_bytes / sizeof(std::uint64_t);
    clear_words_kernel<kClearThreads><<<grid_of_tiles(divide_up(words, kClearThreads)), kClearThreads, 0, stream>>>(
        static_cast<std::uint64_t*>(scratch), words);
    check_launch("kernel that clears the words of a selection");
  }
  const auto kernel = keep_distinct_kernel<Bits, Value, Shape, kKeepsLast>;
  constexpr const char* kName = "kernel that keeps distinct items";
  allow_shared_bytes(kernel, Area::kBytes, kName);
  launch_overlapping(kernel, kName, {grid_of_tiles(call.tile_count), Shape::kThreads, Area::kBytes},
                     call.tile_count > 1 && has_code_for_90(kernel), stream, call);
}

}  // namespace sortie::kernels
