// The two kernels of a merge round: one thread per tile finds the tile's limits, then one block per tile
// merges it in shared memory. Tiles are read and written in units of 16 bytes: an item's place in shared
// memory has the phase, its place within a unit, that it has in global memory.
#pragma once

#include <cstdint>

#include "kernels/async_copy.cuh"
#include "kernels/merge_order.cuh"
#include "kernels/merge_path.hpp"
#include "kernels/merge_plan.hpp"

namespace sortie::kernels {

inline constexpr unsigned kMergePlanThreads = 128;

/// The shape of the tiles as a type, which kernels can be made from.
template <class Key, MergeKind kKind>
struct TunedShape {
  static constexpr MergeTuning kTuning = merge_tuning(kKind, sizeof(Key));
};

/// Arguments of both kernels.
template <class Key>
struct MergeRound {
  const Key* keys_in;
  const std::uint32_t* indices_in;  ///< of pairs
  Key* keys_out;
  std::uint32_t* indices_out;
  const std::uint64_t* offsets;  ///< of the sequences
  std::uint32_t sequence_count;
  unsigned round;
  std::uint64_t slot_count;
  MergeTile* tiles;
};

/// A limit is the beginning of a tile and the end of the one before it.
template <class Key, MergeKind kKind, class Shape>
__global__ void __launch_bounds__(kMergePlanThreads)
    plan_merge_kernel(const MergeRound<Key> round, const __grid_constant__ RecordKeys records) {
  constexpr MergeTuning kTuning = Shape::kTuning;
  const std::uint64_t slot = std::uint64_t{blockIdx.x} * kMergePlanThreads + threadIdx.x;
  if (slot >= round.slot_count) return;
  const std::uint64_t pair_count = merge_pair_count(round.sequence_count, round.round);
  const std::uint64_t pair_index = pair_of_slot(round.offsets, pair_count, round.round, slot, kTuning);
  const MergePair pair = merge_pair(round.offsets, round.sequence_count, round.round, pair_index);
  const std::uint64_t tile = slot - merge_slot(pair.a_begin, pair_index, kTuning);
  const std::uint64_t tile_count = merge_tile_count(pair, kTuning);
  if (tile >= tile_count) {
    round.tiles[slot] = {};
    return;
  }
  const auto a = merge_sequence<kKind>(round.keys_in + pair.a_begin, round.indices_in + pair.a_begin);
  const auto b = merge_sequence<kKind>(round.keys_in + pair.b_begin, round.indices_in + pair.b_begin);
  const MergeSplit limit = sample_limit(a, pair.a_count(), b, pair.b_count(), kTuning.stride, tile * kTuning.group(),
                                        merge_order<kKind>(records));
  round.tiles[slot].a_begin = pair.a_begin + limit.a;
  round.tiles[slot].b_begin = pair.b_begin + limit.b;
  round.tiles[slot].out_begin = pair.a_begin + limit.a + limit.b;
  if (tile > 0) {
    round.tiles[slot - 1].a_end = pair.a_begin + limit.a;
    round.tiles[slot - 1].b_end = pair.b_begin + limit.b;
  }
  if (tile + 1 == tile_count) {
    round.tiles[slot].a_end = pair.b_begin;
    round.tiles[slot].b_end = pair.end;
  }
}

/// Items to whose multiples the phases of all arrays repeat: a unit of the smallest item.
inline constexpr unsigned kPhaseItems = 4;

/// Where the two sides of a tile lie in shared memory.
///
///   | phase | a | guards | phase | b | guard |      of keys: a guard is the largest key. It stands for items
///                                                   of a side that has run out, so that need not be asked
template <class Key, MergeKind kKind, class Shape>
struct MergeShared {
  static constexpr MergeTuning kTuning = Shape::kTuning;
  static constexpr bool kHasIndices = kKind != MergeKind::kKeys;
  /// Bare keys may be taken from a's guards in place of equal ones of b.
  static constexpr unsigned kGuards = kHasIndices ? 1 : kTuning.items + 1;
  /// The serial merges may look up to `items` places past the end, and ignore what they see there.
  static constexpr unsigned kPlaces = kTuning.tile_capacity() + kGuards + kTuning.items + 4 * kPhaseItems;

  alignas(16) Key keys[kPlaces];
  alignas(16) std::uint32_t indices[kHasIndices ? kPlaces : 1];
};

__device__ inline unsigned phase_of(std::uint64_t place) { return static_cast<unsigned>(place % kPhaseItems); }

struct MergeSides {
  unsigned a_begin;
  unsigned a_end;
  unsigned b_begin;
  unsigned b_end;

  __device__ MergeSides(const MergeTile& tile, unsigned guards) {
    a_begin = phase_of(tile.a_begin);
    a_end = a_begin + static_cast<unsigned>(tile.a_end - tile.a_begin);
    b_begin = (a_end + guards + kPhaseItems - 1) / kPhaseItems * kPhaseItems + phase_of(tile.b_begin);
    b_end = b_begin + static_cast<unsigned>(tile.b_end - tile.b_begin);
  }
  __device__ unsigned a_count() const { return a_end - a_begin; }
  __device__ unsigned b_count() const { return b_end - b_begin; }
  __device__ unsigned count() const { return a_count() + b_count(); }
};

/// Starts the copy of one side: `shared` and `in` have the same phase.
template <class Item>
__device__ void copy_side_async(const Item* in, unsigned phase, unsigned count, Item* shared) {
  constexpr unsigned kUnitItems = 16 / sizeof(Item);
  const unsigned before_unit = (kPhaseItems - phase) % kUnitItems;
  const unsigned head = before_unit < count ? before_unit : count;
  const unsigned units = (count - head) / kUnitItems;
  for (unsigned unit = threadIdx.x; unit < units; unit += blockDim.x) {
    copy_async<16>(shared + head + unit * kUnitItems, in + head + unit * kUnitItems);
  }
  const unsigned tail = head + units * kUnitItems;
  if (threadIdx.x < head) copy_async<sizeof(Item)>(shared + threadIdx.x, in + threadIdx.x);
  if (threadIdx.x < count - tail) copy_async<sizeof(Item)>(shared + tail + threadIdx.x, in + tail + threadIdx.x);
}

template <class Item>
__device__ void copy_sides_async(const Item* in, const MergeTile& tile, const MergeSides& sides, Item* shared) {
  copy_side_async(in + tile.a_begin, sides.a_begin % kPhaseItems, sides.a_count(), shared + sides.a_begin);
  copy_side_async(in + tile.b_begin, sides.b_begin % kPhaseItems, sides.b_count(), shared + sides.b_begin);
}

/// Items [phase, phase + count) of shared memory to `out`, which has the same phase.
template <class Item>
__device__ void store_merged(const Item* shared, unsigned phase, unsigned count, Item* out) {
  constexpr unsigned kUnitItems = 16 / sizeof(Item);
  const unsigned end = phase + count;
  out -= phase;
  for (unsigned i = threadIdx.x * kUnitItems; i < end; i += blockDim.x * kUnitItems) {
    if (i >= phase && i + kUnitItems <= end) {
      *reinterpret_cast<uint4*>(out + i) = *reinterpret_cast<const uint4*>(shared + i);
      continue;
    }
    for (unsigned k = i; k < i + kUnitItems; ++k) {
      if (k >= phase && k < end) out[k] = shared[k];
    }
  }
}

/// Whether the next merged item is b's. A guard of b comes before nothing.
template <MergeKind kKind, class Item, class Before>
__device__ bool takes_b(const Item& next_a, bool a_left, const Item& next_b, bool b_left, const Before& before) {
  if constexpr (kKind == MergeKind::kKeys) {
    return before(next_b, next_a);
  } else if constexpr (kKind == MergeKind::kPairs) {
    return !a_left || before(next_b, next_a);
  } else {
    return b_left && (!a_left || before(next_b, next_a));
  }
}

/// Merges the thread's items, which begin at places a and b of the two sides in shared memory. slots[k]:
/// where item k lies there.
template <MergeKind kKind, unsigned kItems, class Sequence, class Before, class Key>
__device__ void merge_serially(const Sequence& places, unsigned a, unsigned b, const MergeSides& sides,
                               const Before& before, Key (&keys)[kItems], unsigned (&slots)[kItems]) {
  auto next_a = places[a];
  auto next_b = places[b];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const bool take_b = takes_b<kKind>(next_a, a < sides.a_end, next_b, b < sides.b_end, before);
    keys[k] = key_of(take_b ? next_b : next_a);
    slots[k] = take_b ? b : a;
    a += take_b ? 0 : 1;
    b += take_b ? 1 : 0;
    const auto next = places[take_b ? b : a];
    next_a = take_b ? next_a : next;
    next_b = take_b ? next : next_b;
  }
}

template <class Key, MergeKind kKind, class Shape>
__global__ void __launch_bounds__(Shape::kTuning.threads, Shape::kTuning.blocks_per_multiprocessor)
    merge_tiles_kernel(const MergeRound<Key> round, const __grid_constant__ RecordKeys records) {
  using Shared = MergeShared<Key, kKind, Shape>;
  constexpr MergeTuning kTuning = Shape::kTuning;
  __shared__ Shared shared;
  const MergeTile tile = round.tiles[blockIdx.x];
  const MergeSides sides(tile, Shared::kGuards);
  const unsigned count = sides.count();
  if (count == 0) return;
  copy_sides_async(round.keys_in, tile, sides, shared.keys);
  if constexpr (Shared::kHasIndices) copy_sides_async(round.indices_in, tile, sides, shared.indices);
  if (threadIdx.x < Shared::kGuards) shared.keys[sides.a_end + threadIdx.x] = static_cast<Key>(~Key{0});
  if (threadIdx.x == 0) shared.keys[sides.b_end] = static_cast<Key>(~Key{0});
  await_copies();
  __syncthreads();

  Key keys[kTuning.items];
  unsigned slots[kTuning.items];
  const auto before = merge_order<kKind>(records);
  const unsigned first = threadIdx.x * kTuning.items;
  const unsigned diagonal = first < count ? first : count;
  const auto sequence_at = [&](unsigned place) {
    return merge_sequence<kKind>(shared.keys + place, shared.indices + (Shared::kHasIndices ? place : 0));
  };
  const unsigned a = merge_path<unsigned>(sequence_at(sides.a_begin), sides.a_count(), sequence_at(sides.b_begin),
                                          sides.b_count(), diagonal, before);
  merge_serially<kKind>(sequence_at(0), sides.a_begin + a, sides.b_begin + diagonal - a, sides, before, keys, slots);
  if constexpr (Shared::kHasIndices) {
#pragma unroll
    for (unsigned k = 0; k < kTuning.items; ++k) slots[k] = shared.indices[slots[k]];
  }
  __syncthreads();

  const unsigned phase = phase_of(tile.out_begin);
#pragma unroll
  for (unsigned k = 0; k < kTuning.items; ++k) {
    shared.keys[phase + first + k] = keys[k];
    if constexpr (Shared::kHasIndices) shared.indices[phase + first + k] = slots[k];
  }
  __syncthreads();
  store_merged(shared.keys, phase, count, round.keys_out + tile.out_begin);
  if constexpr (Shared::kHasIndices) store_merged(shared.indices, phase, count, round.indices_out + tile.out_begin);
}

}  // namespace sortie::kernels
