// The two kernels of a merge round: one thread per tile finds the tile's limits, then one block per tile
// merges it in shared memory.
#pragma once

#include <cstdint>

#include "kernels/merge_order.cuh"
#include "kernels/merge_path.hpp"
#include "kernels/merge_plan.hpp"

namespace sortie::kernels {

inline constexpr unsigned kMergePlanThreads = 128;

template <class Key, MergeKind kKind>
inline constexpr MergeTuning kMergeTuning = merge_tuning(kKind, sizeof(Key));

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
template <class Key, MergeKind kKind>
__global__ void __launch_bounds__(kMergePlanThreads)
    plan_merge_kernel(const MergeRound<Key> round, const __grid_constant__ RecordKeys records) {
  constexpr MergeTuning kTuning = kMergeTuning<Key, kKind>;
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

/// The serial merges may look up to `items` places past the end, and ignore what they see there.
template <class Key, MergeKind kKind>
struct MergeShared {
  static constexpr MergeTuning kTuning = kMergeTuning<Key, kKind>;
  static constexpr unsigned kPlaces = kTuning.tile_capacity() + kTuning.items;

  Key keys[kPlaces];
  std::uint32_t indices[kKind == MergeKind::kKeys ? 1 : kPlaces];
};

/// The thread's share of both sides, a before b: all loads under way before the first is waited for.
template <unsigned kItems, class Item>
__device__ void load_sides(const Item* in, const MergeTile& tile, unsigned a_count, unsigned count,
                           Item (&items)[kItems]) {
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const unsigned i = threadIdx.x + k * blockDim.x;
    const std::uint64_t place = i < a_count ? tile.a_begin + i : tile.b_begin + (i - a_count);
    if (i < count) items[k] = in[place];
  }
}

template <unsigned kItems, class Item>
__device__ void store_striped(const Item (&items)[kItems], unsigned count, Item* shared) {
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const unsigned i = threadIdx.x + k * blockDim.x;
    if (i < count) shared[i] = items[k];
  }
}

/// Merges the thread's items, which begin at place a of the first side and b of the second, both in
/// shared memory. slots[k]: where item k lies there.
template <MergeKind kKind, unsigned kItems, class Sequence, class Before, class Key>
__device__ void merge_serially(const Sequence& places, unsigned a, unsigned a_end, unsigned b, unsigned b_end,
                               const Before& before, Key (&keys)[kItems], unsigned (&slots)[kItems]) {
  auto next_a = places[a];
  auto next_b = places[b];
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const bool take_b = b < b_end && (a >= a_end || before(next_b, next_a));
    keys[k] = key_of(take_b ? next_b : next_a);
    slots[k] = take_b ? b : a;
    if (take_b) {
      next_b = places[++b];
    } else {
      next_a = places[++a];
    }
  }
}

template <class Key, MergeKind kKind>
__global__ void __launch_bounds__(kMergeTuning<Key, kKind>.threads, kMergeTuning<Key, kKind>.blocks_per_multiprocessor)
    merge_tiles_kernel(const MergeRound<Key> round, const __grid_constant__ RecordKeys records) {
  using Shared = MergeShared<Key, kKind>;
  constexpr MergeTuning kTuning = Shared::kTuning;
  constexpr bool kHasIndices = kKind != MergeKind::kKeys;
  __shared__ Shared shared;
  const MergeTile tile = round.tiles[blockIdx.x];
  const unsigned a_count = static_cast<unsigned>(tile.a_end - tile.a_begin);
  const unsigned b_count = static_cast<unsigned>(tile.b_end - tile.b_begin);
  const unsigned count = a_count + b_count;
  if (count == 0) return;

  Key keys[kTuning.items];
  unsigned slots[kTuning.items];
  load_sides(round.keys_in, tile, a_count, count, keys);
  if constexpr (kHasIndices) {
    load_sides(round.indices_in, tile, a_count, count, slots);
    store_striped(slots, count, shared.indices);
  }
  store_striped(keys, count, shared.keys);
  __syncthreads();

  const auto before = merge_order<kKind>(records);
  const auto places = merge_sequence<kKind>(shared.keys, shared.indices);
  const auto b_places = merge_sequence<kKind>(shared.keys + a_count, shared.indices + (kHasIndices ? a_count : 0));
  const unsigned first = threadIdx.x * kTuning.items;
  const unsigned diagonal = first < count ? first : count;
  const unsigned a = merge_path<unsigned>(places, a_count, b_places, b_count, diagonal, before);
  merge_serially<kKind>(places, a, a_count, a_count + diagonal - a, count, before, keys, slots);
  if constexpr (kHasIndices) {
#pragma unroll
    for (unsigned k = 0; k < kTuning.items; ++k) slots[k] = shared.indices[slots[k]];
  }
  __syncthreads();

#pragma unroll
  for (unsigned k = 0; k < kTuning.items; ++k) {
    shared.keys[first + k] = keys[k];
    if constexpr (kHasIndices) shared.indices[first + k] = slots[k];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kTuning.items; ++k) {
    const unsigned i = threadIdx.x + k * kTuning.threads;
    if (i >= count) break;
    round.keys_out[tile.out_begin + i] = shared.keys[i];
    if constexpr (kHasIndices) round.indices_out[tile.out_begin + i] = shared.indices[i];
  }
}

}  // namespace sortie::kernels
