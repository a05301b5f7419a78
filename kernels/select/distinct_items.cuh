// One item of each row of equal keys, in one pass: a block compares the keys of a tile with their neighbours, finds the
// place of what it keeps by decoupled look-back, and writes it side by side.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/common/block_team.cuh"
#include "kernels/common/clear_words.cuh"
#include "kernels/common/cluster_launch.cuh"
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

/// Keys are equal if their bits are.
struct SameBits {
  template <class Bits>
  SORTIE_HD static constexpr Bits canonical(Bits bits) {
    return bits;
  }
};

/// Same: SameBits, or FloatValues<Bits> for floats that are equal if their values are.
template <class Bits, class Same>
struct DistinctCall {
  NumberedKeys<Bits> list;
  const std::byte* values;
  KeptItems<Bits> out;
  ValueCopy copy_value;
  Same same;
  ScanState scan;  ///< not used for few items
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

/// Writes what a tile keeps behind what the tiles before it keep.
template <class Bits, class Value, class Shape, class Same>
__device__ void write_kept(const DistinctCall<Bits, Same>& call, const DistinctArea<Bits, Value, Shape>& area,
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

inline constexpr unsigned kMostDistinctBlocks = 8;  ///< of a cluster, on every GPU that has clusters

template <class Shape>
struct DistinctCounts {
  unsigned of_warps[Shape::kWarps];
  unsigned of_blocks[kMostDistinctBlocks];  ///< of those in front of this one in its cluster
  std::uint64_t prefix;
  unsigned next_tile;  ///< of blocks that stay
};

/// What a block does with a tile, step by step.
template <class Bits, class Value, class Shape, bool kKeepsLast, class Same>
class DistinctBlock {
 public:
  using Area = DistinctArea<Bits, Value, Shape>;
  using Share = DistinctShare<Bits, Shape::kVectors, kKeepsLast>;

  __device__ DistinctBlock(const DistinctCall<Bits, Same>& call, DistinctCounts<Shape>& counts, void* memory,
                           unsigned tile)
      : call_(call),
        counts_(counts),
        area_(memory),
        begin_(std::uint64_t{tile} * Area::kTile),
        share_(begin_ + threadIdx.x / 32 * Share::kWarpItems) {}

  /// Reads keys and values, and finds the keys to keep.
  __device__ void read() {
    share_.load_neighbour(call_.list);
    const bool is_whole = begin_ >= call_.list.begin && begin_ + Area::kTile <= call_.list.end;
    if (is_whole) {
      share_.load(call_.list);
    } else {
      share_.load_some(call_.list);
    }
    if constexpr (Area::kMovesValues) load_values(is_whole);
    share_.compare(call_.same);
    if (begin_ == 0 || begin_ + Area::kTile >= call_.list.end) share_.mend(call_.list);
  }

  /// Counts what the tile keeps. Contains a barrier.
  __device__ unsigned count() {
    const unsigned warp = threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    const unsigned of_warp = share_.count();
    if (lane == 0) counts_.of_warps[warp] = of_warp;
    __syncthreads();
    const unsigned own = lane < Shape::kWarps ? counts_.of_warps[lane] : 0;
    const unsigned inclusive = warp_inclusive_sum(own);
    warp_place_ = __shfl_sync(~0u, inclusive - own, warp);
    kept_ = __shfl_sync(~0u, inclusive, 31);
    return kept_;
  }

  /// Moves what is kept together in shared memory. Other threads see it after the next barrier.
  __device__ void gather() {
    share_.each_kept(warp_place_, [&](unsigned place, unsigned v, unsigned k) {
      area_.keys[place] = share_.key(v, k);
      if constexpr (Area::kMovesValues) area_.beside[place] = values_[v * Share::kPerVector + k];
      if constexpr (Area::kHasPlaces) area_.beside[place] = static_cast<std::uint16_t>(share_.number(v, k) - begin_);
    });
  }

  /// Writes it behind the `prefix` items that the tiles before it keep.
  __device__ void write(std::uint64_t prefix) const {
    if (threadIdx.x == 0 && begin_ + Area::kTile >= call_.list.end) *call_.out.count = prefix + kept_;
    write_kept(call_, area_, begin_, kept_, prefix);
  }

 private:
  /// Reads all values with the keys. To wait for the keys, and read the values of those to keep, took longer where many
  /// are kept: most sectors have one.
  __device__ void load_values(bool is_whole) {
    constexpr unsigned kPerVector = Share::kPerVector;
    using Vector = std::conditional_t<kPerVector * sizeof(Value) == 8, uint2, uint4>;
    const auto* const values = reinterpret_cast<const Value*>(call_.values) - call_.list.begin;
    const bool is_aligned = is_whole && reinterpret_cast<std::uintptr_t>(values) % sizeof(Vector) == 0;
#pragma unroll
    for (unsigned v = 0; v < Shape::kVectors; ++v) {
      Value* const own = values_ + v * kPerVector;
      const std::uint64_t first = share_.number(v, 0);
      if (is_aligned) {
        Vector vectors[kPerVector * sizeof(Value) / sizeof(Vector)];
#pragma unroll
        for (unsigned i = 0; i < sizeof vectors / sizeof(Vector); ++i) {
          vectors[i] = reinterpret_cast<const Vector*>(values + first)[i];
        }
        memcpy(own, vectors, sizeof vectors);
        continue;
      }
#pragma unroll
      for (unsigned k = 0; k < kPerVector; ++k) {
        if (is_whole || call_.list.has(first + k)) own[k] = values[first + k];
      }
    }
  }

  const DistinctCall<Bits, Same>& call_;
  DistinctCounts<Shape>& counts_;
  const Area area_;
  const std::uint64_t begin_;
  Share share_;
  std::conditional_t<Area::kMovesValues, typename Area::Beside, NoValue> values_[Share::kItems];
  unsigned warp_place_;
  unsigned kept_;
};

/// Any number of tiles. Blocks that stay claim the next one when they know the place of what they keep: the claim is
/// under way while they write. An earlier claim would make all tiles behind it wait for this one, too.
template <class Bits, class Value, class Shape, bool kKeepsLast, class Same>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    keep_distinct_kernel(const __grid_constant__ DistinctCall<Bits, Same> call, unsigned tile_count) {
  extern __shared__ uint4 memory[];
  __shared__ DistinctCounts<Shape> counts;
  await_launch_before();
  unsigned tile = claim_tile(call.scan.tile_counter);
  while (tile < tile_count) {
    DistinctBlock<Bits, Value, Shape, kKeepsLast, Same> block(call, counts, memory, tile);
    block.read();
    const unsigned kept = block.count();
    if (threadIdx.x == 0) publish_aggregate(call.scan.status, tile, kept);
    block.gather();
    if (threadIdx.x < 32) {
      const std::uint64_t prefix = prefix_of_published(call.scan.status, tile, kept);
      if (threadIdx.x == 0) counts.prefix = prefix;
    }
    __syncthreads();
    if constexpr (Shape::kStays) {
      if (threadIdx.x == 0) counts.next_tile = atomicAdd(call.scan.tile_counter, 1U);
    }
    block.write(counts.prefix);
    if constexpr (!Shape::kStays) return;
    __syncthreads();
    tile = counts.next_tile;
  }
}

/// Few items: one tile, or those of the blocks of one cluster. They need no scratch.
template <class Bits, class Value, class Shape, bool kKeepsLast, bool kIsCluster, class Same>
__global__ void __launch_bounds__(Shape::kThreads)
    keep_few_distinct_kernel(const __grid_constant__ DistinctCall<Bits, Same> call) {
  extern __shared__ uint4 memory[];
  __shared__ DistinctCounts<Shape> counts;
  const BlockTeam<kIsCluster> team;
  team.arrive();
  DistinctBlock<Bits, Value, Shape, kKeepsLast, Same> block(call, counts, memory, team.rank);
  block.read();
  const unsigned kept = block.count();
  team.wait();
  if (threadIdx.x > team.rank && threadIdx.x < team.size)
    *team.shared_of(&counts.of_blocks[team.rank], threadIdx.x) = kept;
  block.gather();
  team.sync();
  unsigned prefix = 0;
  for (unsigned rank = 0; rank < team.rank; ++rank) prefix += counts.of_blocks[rank];
  block.write(prefix);
}

/// Launches the kernel that clears the words of tiles.
inline ScanState cleared_scan(std::uint64_t tile_count, void* scratch, cudaStream_t stream) {
  ScratchLayout layout(scratch);
  const ScanState scan = scan_state(layout, tile_count);
  clear_words(scratch, scan.size_bytes, "kernel that clears the words of a selection", stream);
  return scan;
}

/// Launches the kernels. `call`: without scan.
template <class Bits, class Value, class Shape, bool kKeepsLast, class Same>
void launch_distinct(DistinctCall<Bits, Same> call, void* scratch, cudaStream_t stream) {
  using Area = DistinctArea<Bits, Value, Shape>;
  const std::uint64_t tile_count = divide_up(call.list.end, std::uint64_t{Area::kTile});
  call.scan = cleared_scan(tile_count, scratch, stream);
  const auto kernel = keep_distinct_kernel<Bits, Value, Shape, kKeepsLast, Same>;
  constexpr const char* kName = "kernel that keeps distinct items";
  allow_shared_bytes(kernel, Area::kBytes, kName);
  const unsigned grid = Shape::kStays ? persistent_grid(tile_count, Shape::kBlocks) : grid_of_tiles(tile_count);
  launch_overlapping(kernel, kName, {grid, Shape::kThreads, Area::kBytes}, has_code_for_90(kernel), stream, call,
                     static_cast<unsigned>(tile_count));
}

/// Returns false if blocks of this shape do not hold the items.
template <class Bits, class Value, class Shape, bool kKeepsLast, class Same>
bool launch_few_distinct(const DistinctCall<Bits, Same>& call, cudaStream_t stream) {
  using Area = DistinctArea<Bits, Value, Shape>;
  if (call.list.end > kMostDistinctBlocks * Area::kTile || Area::kBytes > shared_bytes_per_block()) return false;
  const LaunchShape shape{grid_of_tiles(divide_up(call.list.end, std::uint64_t{Area::kTile})), Shape::kThreads,
                          Area::kBytes};
  const auto launch = [&](auto* kernel) {
    constexpr const char* kName = "kernel that keeps few distinct items";
    allow_shared_bytes(kernel, Area::kBytes, kName);
    launch_in_cluster(kernel, kName, shape, stream, call);
  };
  if (shape.grid == 1) {
    launch(keep_few_distinct_kernel<Bits, Value, Shape, kKeepsLast, false, Same>);
    return true;
  }
  const auto kernel = keep_few_distinct_kernel<Bits, Value, Shape, kKeepsLast, true, Same>;
  if (!has_code_for_90(kernel)) return false;
  launch(kernel);
  return true;
}

}  // namespace sortie::kernels
