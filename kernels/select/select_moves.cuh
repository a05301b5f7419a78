// The passes of a radix select that move items, in the order of the input: candidates together, and the selected items
// to the output. Blocks claim tiles in order, and find the places of their items by decoupled look-back.
#pragma once

#include <cstdint>

#include <cub/block/block_scan.cuh>

#include "kernels/select/select_state.cuh"

namespace sortie::kernels {

/// Large tiles: those in flight wait for each other, and a pass over 2^28 keys by 256 threads was bound by that.
inline constexpr unsigned kMoveThreads = 512;
inline constexpr unsigned kMoveBlocks = 2;  ///< per multiprocessor

/// A thread reads so many items in a row, 64 bytes of them at most: codes take a register each, also short ones.
template <class Bits>
inline constexpr unsigned kMoveItems = sizeof(Bits) < 4 ? 16 : 64 / sizeof(Bits);
template <class Bits>
inline constexpr std::uint64_t kMoveTile = std::uint64_t{kMoveThreads} * kMoveItems<Bits>;

/// Counts of a tile have 32 bits, and are added up by warps: that keeps the fewest registers.
using CompactScan = cub::BlockScan<unsigned, kMoveThreads, cub::BLOCK_SCAN_WARP_SCANS>;

struct CompactShared {
  typename CompactScan::TempStorage scan;
  std::uint64_t prefix;
};

/// Moves the candidates that the first `digits` digits leave, if these are the digits after which that pays; if 0,
/// those that the sample's digit leaves, as far as there is room, and tells how many they are.
template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kMoveThreads, kMoveBlocks)
    compact_candidates_kernel(const __grid_constant__ Selection<Bits, Codec, Position> selection, unsigned digits,
                              const ScanState scan) {
  __shared__ CompactShared shared;
  await_launch_before();
  if (digits != 0) {
    if (selection.candidate_count(digits - 1) != 0 || selection.candidate_count(digits) == 0) return;
  }
  const SelectedDigits last = selection.known[digits];
  const SelectSource<Bits, Codec, Position> source(selection, 0);
  const auto first_of = [](unsigned tile) { return tile * kMoveTile<Bits> + threadIdx.x * kMoveItems<Bits>; };
  unsigned tile = claim_tile(scan.tile_counter);
  Bits next[kMoveItems<Bits>];
  unsigned next_there = source.load(first_of(tile), next);
  while (tile * kMoveTile<Bits> < source.count()) {
    const std::uint64_t first = first_of(tile);
    Bits codes[kMoveItems<Bits>];
    memcpy(codes, next, sizeof codes);
    const unsigned there = next_there;
    __syncthreads();
    const unsigned following = claim_tile(scan.tile_counter);
    next_there = source.load(first_of(following), next);  // on their way while this tile waits for those before it
    source.encode(codes);
    unsigned here = 0;
#pragma unroll
    for (unsigned k = 0; k < kMoveItems<Bits>; ++k) {
      if (k < there) here += static_cast<std::uint64_t>(codes[k] >> last.shift) <= last.prefix ? 1 : 0;
    }
    unsigned before = 0;
    unsigned of_tile = 0;
    CompactScan(shared.scan).ExclusiveSum(here, before, of_tile);
    if (threadIdx.x < 32) {
      const std::uint64_t prefix = tile_prefix(scan.status, tile, of_tile);
      if (threadIdx.x == 0) shared.prefix = prefix;
    }
    __syncthreads();
    std::uint64_t target = shared.prefix + before;
    if (digits == 0 && threadIdx.x + 1 == kMoveThreads && (tile + 1) * kMoveTile<Bits> >= source.count()) {
      *selection.candidates.sampled = target + here;
    }
    tile = following;
    if (here == 0 || target + here > selection.candidates.capacity) continue;
#pragma unroll
    for (unsigned k = 0; k < kMoveItems<Bits>; ++k) {
      if (k >= there || static_cast<std::uint64_t>(codes[k] >> last.shift) > last.prefix) continue;
      selection.candidates.codes[target] = codes[k];
      selection.candidates.positions[target++] = static_cast<Position>(first + k);
    }
  }
}

template <class Bits, class Position>
struct SelectedArrays {
  Bits* keys;
  Position* positions;
};

/// Moves the selected items: those below the last one's digits, and behind them the first of those that agree.
template <class Bits, class Codec, class Position>
__global__ void __launch_bounds__(kMoveThreads)
    move_selected_kernel(const __grid_constant__ Selection<Bits, Codec, Position> selection,
                         const SelectedArrays<Bits, Position> out, const ScanState scan, std::uint64_t status_pitch) {
  __shared__ TileScanStorage<kMoveThreads> storage;
  await_launch_before();
  constexpr unsigned kDigits = kSelectDigitCount<Bits>;
  const SelectedDigits last = selection.known[kDigits];
  const SelectSource<Bits, Codec, Position> source(selection, selection.candidate_count(kDigits));
  while (true) {
    const unsigned tile = claim_tile(scan.tile_counter);
    if (tile * kMoveTile<Bits> >= source.count()) return;
    const std::uint64_t first = tile * kMoveTile<Bits> + threadIdx.x * kMoveItems<Bits>;
    Bits codes[kMoveItems<Bits>];
    const unsigned there = source.load(first, codes);
    source.encode(codes);
    unsigned below_here = 0;
    unsigned equal_here = 0;
#pragma unroll
    for (unsigned k = 0; k < kMoveItems<Bits>; ++k) {
      if (k >= there) continue;
      const std::uint64_t prefix = codes[k] >> last.shift;
      below_here += prefix < last.prefix ? 1 : 0;
      equal_here += prefix == last.prefix ? 1 : 0;
    }
    std::uint64_t below = scan_tile<kMoveThreads>(storage, scan.status, tile, below_here);
    std::uint64_t equal = scan_tile<kMoveThreads>(storage, scan.status + status_pitch, tile, equal_here);
    equal += selection.selected_count - last.rank;
    if (below_here + equal_here == 0) continue;
#pragma unroll
    for (unsigned k = 0; k < kMoveItems<Bits>; ++k) {
      if (k >= there) continue;
      const std::uint64_t prefix = codes[k] >> last.shift;
      if (prefix > last.prefix) continue;
      const std::uint64_t target = prefix < last.prefix ? below++ : equal++;
      if (target >= selection.selected_count) continue;
      out.keys[target] = selection.keys.codec.decode(codes[k]);
      out.positions[target] = source.position(first + k);
    }
  }
}

}  // namespace sortie::kernels
