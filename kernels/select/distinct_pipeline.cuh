// The same as distinct_items.cuh for many items, by blocks that stay. While they look at one tile, the next one is on
// its way to shared memory, and what the one before it keeps waits there for its place, which a warp of its own finds:
//
//   warps of items   count tile 1 | gather tile 1 | write tile 0 | count tile 2 | gather tile 2 | write tile 1 | ...
//   warp of places                | place of tile 1             .|              | place of tile 2             .|
//
// Blocks that wait for their places before they read on would all do so at the same time, and memory would rest.
#pragma once

#include "kernels/common/async_copy.cuh"
#include "kernels/common/named_barrier.cuh"
#include "kernels/select/distinct_items.cuh"

namespace sortie::kernels {

inline constexpr unsigned kDistinctStages = 3;

template <class Shape>
struct DistinctTurns {
  unsigned of_warps[2][Shape::kWarps];  ///< of the tiles of even and odd turns
  std::uint64_t prefixes[2];
  unsigned tiles[4];  ///< of turn i: i % 4
};

template <class Bits, class Value, class Shape, bool kKeepsLast>
class DistinctPipeline {
 public:
  static constexpr unsigned kThreads = Shape::kThreads;
  static constexpr unsigned kAllThreads = kThreads + 32;
  static constexpr unsigned kPerVector = 16 / sizeof(Bits);
  static constexpr unsigned kTileVectors = kThreads * Shape::kVectors;
  static constexpr unsigned kTile = kTileVectors * kPerVector;
  static constexpr unsigned kValueBytes = kHasValue<Value> ? sizeof(Value) : 0;
  static constexpr std::uint64_t kBytes = std::uint64_t{kTile} * (kDistinctStages * sizeof(Bits) + 2 * kValueBytes);

  __device__ DistinctPipeline(const DistinctCall<Bits>& call, DistinctTurns<Shape>& turns, uint4* memory)
      : call_(call),
        turns_(turns),
        memory_(memory),
        tile_count_(static_cast<unsigned>((call.list.end + kTile - 1) / kTile)) {}

  /// Called by one warp: finds the places of what tiles keep.
  __device__ void find_places() {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned turn = 0; turns_.tiles[turn % 4] < tile_count_; ++turn) {
      const unsigned tile = turns_.tiles[turn % 4];
      wait_at_turn<kCounted, kAllThreads>(turn);
      const unsigned kept = warp_sum(lane < Shape::kWarps ? turns_.of_warps[turn % 2][lane] : 0);
      if (lane == 0) publish_aggregate(call_.scan.status, tile, kept);
      const std::uint64_t prefix = prefix_of_published<Shape::kRows>(call_.scan.status, tile, kept);
      if (lane == 0) {
        turns_.prefixes[turn % 2] = prefix;
        if (tile + 1 == tile_count_) *call_.out.count = prefix + kept;
      }
      __syncwarp();
      arrive_at_turn<kPlaced, kAllThreads>(turn);
    }
  }

  /// Called by all other warps. Tiles are claimed one turn before they are fetched, not earlier: blocks that hold tiles
  /// of several turns side by side would wait for each other in a row.
  __device__ void move_items() {
    const unsigned warp = threadIdx.x / 32;
    fetch(turns_.tiles[0], 0);
    unsigned stage = 0;
    unsigned kept_before = 0;
    for (unsigned turn = 0;; ++turn) {
      const unsigned tile = turns_.tiles[turn % 4];
      const unsigned stage_before = stage == 0 ? kDistinctStages - 1 : stage - 1;
      if (tile >= tile_count_) {
        if (turn != 0) {
          await_copies();
          wait_at_barrier<kMoved, kThreads>();
          write_turn(turn - 1, stage_before, kept_before);
        }
        return;
      }
      await_copies();
      wait_at_barrier<kMoved, kThreads>();  // the tile is there, and the one two before it is written
      const unsigned next_stage = stage + 1 == kDistinctStages ? 0 : stage + 1;
      const unsigned later = threadIdx.x == 0 ? atomicAdd(call_.scan.tile_counter, 1u) : 0;
      fetch(turns_.tiles[(turn + 1) % 4], next_stage);
      const std::uint64_t begin = std::uint64_t{tile} * kTile;
      Share share(begin + warp * Share::kWarpItems);
      share.load_neighbour(call_.list);
      if (is_whole(begin)) {
        share.load_staged(memory_ + stage * kTileVectors + warp * 32 * Shape::kVectors);
      } else {
        share.load_some(call_.list);
      }
      share.compare();
      if (tile == 0 || tile + 1 == tile_count_) share.mend(call_.list);
      unsigned* const of_warps = turns_.of_warps[turn % 2];
      const unsigned of_warp = share.count();
      if (threadIdx.x % 32 == 0) of_warps[warp] = of_warp;
      if (threadIdx.x == 0) turns_.tiles[(turn + 2) % 4] = later;
      wait_at_barrier<kMoved, kThreads>();
      arrive_at_turn<kCounted, kAllThreads>(turn);
      const unsigned own = threadIdx.x % 32 < Shape::kWarps ? of_warps[threadIdx.x % 32] : 0;
      const unsigned inclusive = warp_inclusive_sum(own);
      gather(share, turn, stage, __shfl_sync(~0u, inclusive - own, warp));
      if (turn != 0) write_turn(turn - 1, stage_before, kept_before);
      kept_before = __shfl_sync(~0u, inclusive, 31);
      stage = next_stage;
    }
  }

 private:
  using Share = DistinctShare<Bits, Shape::kVectors, kKeepsLast>;
  // Barriers. The last two are for even and odd turns.
  static constexpr unsigned kMoved = 1;
  static constexpr unsigned kCounted = 2;
  static constexpr unsigned kPlaced = 4;

  __device__ bool is_whole(std::uint64_t begin) const {
    return begin >= call_.list.begin && begin + kTile <= call_.list.end;
  }

  /// Starts to copy a tile into a stage.
  __device__ void fetch(unsigned tile, unsigned stage) {
    const std::uint64_t begin = std::uint64_t{tile} * kTile;
    if (tile >= tile_count_ || !is_whole(begin)) return;
    const auto* const from = reinterpret_cast<const uint4*>(call_.list.keys + begin) + threadIdx.x;
    uint4* const to = memory_ + stage * kTileVectors + threadIdx.x;
#pragma unroll
    for (unsigned v = 0; v < Shape::kVectors; ++v) copy_async<16>(to + v * kThreads, from + v * kThreads);
  }

  __device__ Bits* keys_of(unsigned stage) const { return reinterpret_cast<Bits*>(memory_ + stage * kTileVectors); }
  __device__ Value* values_of(unsigned turn) const {
    return reinterpret_cast<Value*>(memory_ + kDistinctStages * kTileVectors) + turn % 2 * kTile;
  }

  /// Moves what is kept together: keys within the stage, of which all were read; values come from memory meanwhile.
  __device__ void gather(const Share& share, unsigned turn, unsigned stage, unsigned warp_place) {
    Bits* const keys = keys_of(stage);
    share.each_kept(warp_place, [&](unsigned place, unsigned v, unsigned k) {
      keys[place] = share.key(v, k);
      if constexpr (kHasValue<Value>) {
        const auto* const values = reinterpret_cast<const Value*>(call_.values) - call_.list.begin;
        copy_async<sizeof(Value)>(values_of(turn) + place, values + share.number(v, k));
      }
    });
  }

  /// Writes what the tile of a turn keeps.
  __device__ void write_turn(unsigned turn, unsigned stage, unsigned kept) {
    wait_at_turn<kPlaced, kAllThreads>(turn);
    const std::uint64_t prefix = turns_.prefixes[turn % 2];
    const Bits* const keys = keys_of(stage);
    Bits* const out = call_.out.keys + prefix;
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < kept; i += kThreads) out[i] = keys[i];
    if constexpr (kHasValue<Value>) {
      const Value* const values = values_of(turn);
      auto* const out_values = reinterpret_cast<Value*>(call_.out.values) + prefix;
#pragma unroll 4
      for (unsigned i = threadIdx.x; i < kept; i += kThreads) out_values[i] = values[i];
    }
  }

  const DistinctCall<Bits>& call_;
  DistinctTurns<Shape>& turns_;
  uint4* const memory_;
  const unsigned tile_count_;
};

template <class Bits, class Value, class Shape, bool kKeepsLast>
__global__ void __launch_bounds__(Shape::kThreads + 32, Shape::kBlocks)
    keep_distinct_in_turn_kernel(const __grid_constant__ DistinctCall<Bits> call) {
  extern __shared__ uint4 memory[];
  __shared__ DistinctTurns<Shape> turns;
  await_launch_before();
  DistinctPipeline<Bits, Value, Shape, kKeepsLast> pipeline(call, turns, memory);
  for (unsigned turn = 0; turn < 2; ++turn) {
    if (threadIdx.x == 0) turns.tiles[turn] = atomicAdd(call.scan.tile_counter, 1u);
    __syncthreads();
  }
  if (threadIdx.x >= Shape::kThreads) {
    pipeline.find_places();
  } else {
    pipeline.move_items();
  }
}

/// Returns false if a block has too little shared memory.
template <class Bits, class Value, class Shape, bool kKeepsLast>
bool launch_distinct_in_turn(DistinctCall<Bits> call, void* scratch, cudaStream_t stream) {
  using Pipeline = DistinctPipeline<Bits, Value, Shape, kKeepsLast>;
  if (Pipeline::kBytes + sizeof(DistinctTurns<Shape>) > shared_bytes_per_block()) return false;
  const std::uint64_t tile_count = divide_up(call.list.end, std::uint64_t{Pipeline::kTile});
  call.scan = cleared_scan(tile_count, scratch, stream);
  const auto kernel = keep_distinct_in_turn_kernel<Bits, Value, Shape, kKeepsLast>;
  constexpr const char* kName = "kernel that keeps distinct items in turn";
  allow_shared_bytes(kernel, Pipeline::kBytes, kName);
  launch_overlapping(kernel, kName,
                     {persistent_grid(tile_count, Shape::kBlocks), Pipeline::kAllThreads, Pipeline::kBytes},
                     has_code_for_90(kernel), stream, call);
  return true;
}

}  // namespace sortie::kernels
