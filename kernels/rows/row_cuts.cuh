// Rows of keys of 8 bytes with places: a code and a place have more bits than the numbers that are sorted. A row shares
// the bits above those in which its codes differ, so mostly nothing is lost. Where bits are cut off at the lower end,
// neighbours that agree in the others are put right by steps of odd-even transposition, of which runs of equal bits
// take as many as they are long: with 52 bits left, random keys have next to no such runs.
#pragma once

#include <cstdint>

#include "kernels/bitonic/bitonic_network.cuh"
#include "kernels/rows/row_items.cuh"

namespace sortie::kernels {

/// Whether any thread of those who share a tile says so. All of them call it.
template <BitonicTeam kTeam>
__device__ bool any_of_tile(bool says) {
  if constexpr (kTeam.threads > 32) {
    return __syncthreads_or(says ? 1 : 0) != 0;
  } else {
    return __any_sync(~0u, says);
  }
}

/// The bits that are set in the word of some thread of the team. All threads that share the tile call it.
template <BitonicTeam kTeam, class Tile>
__device__ std::uint64_t bits_of_team(std::uint64_t word, const Tile& tile) {
  constexpr unsigned kLanes = kTeam.threads > 32 ? 32 : kTeam.threads;
#pragma unroll
  for (unsigned mask = kLanes / 2; mask > 0; mask /= 2) word |= cuda::shuffle_xor(word, mask);
  if constexpr (kTeam.threads > 32) {
    if (threadIdx.x % 32 == 0) tile.store(threadIdx.x / 32, word);
    __syncthreads();
#pragma unroll
    for (unsigned warp = 0; warp < kTeam.threads / 32; ++warp) word |= tile.load(warp);
    __syncthreads();
  }
  return word;
}

/// Loads a row as load() does, of the form that is returned: that of this row.
template <BitonicTeam kTeam>
__device__ RowCuts load_cut(const RowArrays<RowCuts>& rows, std::uint64_t row, unsigned lane,
                            std::uint64_t (&items)[kTeam.items], const RowCuts::Tile& tile) {
  const unsigned left = rows.left_of(row, lane);
  const std::uint64_t first = row < rows.row_count ? rows.code_at(row, 0) : 0;
  std::uint64_t differing = 0;
#pragma unroll
  for (unsigned k = 0; k < kTeam.items; ++k) {
    if (k * kTeam.threads >= left) break;
    items[k] = rows.code_at(row, k * kTeam.threads + lane);
    differing |= items[k] ^ first;
  }
  const RowCuts form = RowCuts::of(first, bits_of_team<kTeam>(differing, tile));
#pragma unroll
  for (unsigned k = 0; k < kTeam.items; ++k) {
    const unsigned place = k * kTeam.threads + lane;
    items[k] = k * kTeam.threads < left ? form.item(items[k], place) : RowCuts::Tile::infinity();
  }
  return form;
}

/// Puts items right that lie in the tile from `begin` on, in the order of what is left of their codes.
template <BitonicTeam kTeam>
__device__ void mend_cut(const RowArrays<RowCuts>& rows, std::uint64_t row, unsigned lane, const RowCuts& form,
                         const RowCuts::Tile& tile, unsigned begin) {
  const unsigned count = form.is_cut() && row < rows.row_count ? rows.row_items : 0;
  // Exchanges item `at` with the next one if both are cut to the same bits and are not in order.
  const auto exchange = [&](unsigned at) {
    const unsigned low = padded_position(begin + at, RowCuts::Tile::kItemBytes);
    const unsigned high = padded_position(begin + at + 1, RowCuts::Tile::kItemBytes);
    const std::uint64_t a = tile.load(low);
    const std::uint64_t b = tile.load(high);
    if ((a ^ b) >> RowCuts::kPlaceBits != 0) return false;
    if (rows.code_at(row, RowCuts::place_of(a)) <= rows.code_at(row, RowCuts::place_of(b))) return false;
    tile.store(low, b);
    tile.store(high, a);
    return true;
  };
  bool is_mended = false;
  while (!is_mended) {
    bool has_exchanged = false;
    for (unsigned odd = 0; odd < 2; ++odd) {
      for (unsigned at = 2 * lane + odd; at + 1 < count; at += 2 * kTeam.threads) has_exchanged |= exchange(at);
      synchronise_tile<kTeam>();
    }
    is_mended = !any_of_tile<kTeam>(has_exchanged);
  }
}

}  // namespace sortie::kernels
