// The two kernels of a set operation: a warp per tile finds where it begins in both lists, then a block per tile loads
// its slices, decides which items are kept, and writes these together.
#pragma once

#include <cstdint>

#include "kernels/common/launch.hpp"
#include "kernels/common/look_back.cuh"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/common/warp_sums.cuh"
#include "kernels/merge/warp_merge_path.cuh"
#include "kernels/select/set_tile.hpp"
#include "kernels/select/value_copy.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {

/// The threads of a block, and how many items each of them looks at.
template <unsigned kThreadCount, unsigned kItemCount, unsigned kBlockCount>
struct SetShape {
  static constexpr unsigned kThreads = kThreadCount;
  static constexpr unsigned kWarps = kThreads / 32;
  static constexpr unsigned kItems = kItemCount;  ///< odd, to spread over the banks of shared memory
  static constexpr unsigned kTile = kThreads * kItems;
  static constexpr unsigned kBlocks = kBlockCount;  ///< per multiprocessor, at least
};

template <class Bits, class Codec>
struct SetOperands {
  KeptKinds kinds;
  ListItems<Bits> first;
  ListItems<Bits> second;
  Codec codec;
  KeptItems<Bits> out;
  std::uint64_t room;  ///< nothing is written behind so many items, even if the lists are not sorted
  ValueCopy copy_value;
  std::uint64_t tile_count;
  SetCut<std::uint64_t>* cuts;  ///< of tiles, and the end
  ScanState scan;

  SORTIE_HD std::uint64_t count() const { return first.count + second.count; }
  __device__ CodedKeys<Bits, Codec> codes_of(const ListItems<Bits>& list) const { return {list.keys, codec}; }
};

inline constexpr unsigned kCutThreads = 128;

template <class Shape, class Bits, class Codec>
__global__ void __launch_bounds__(kCutThreads)
    find_set_cuts_kernel(const __grid_constant__ SetOperands<Bits, Codec> set, unsigned* words,
                         std::uint64_t word_count) {
  await_launch_before();
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * kCutThreads + threadIdx.x;
  for (std::uint64_t i = thread; i < word_count; i += std::uint64_t{gridDim.x} * kCutThreads) words[i] = 0;
  const std::uint64_t i = thread / 32;
  if (i > set.tile_count) return;
  const auto first = set.codes_of(set.first);
  const auto second = set.codes_of(set.second);
  const std::uint64_t diagonal = min(i * Shape::kTile, set.count());
  const std::uint64_t a = merge_path_of_warp(first, set.first.count, second, set.second.count, diagonal, CodesAscend());
  const auto cut = balanced_cut(first, second, set.second.count, SetCut<std::uint64_t>{a, diagonal - a});
  if (threadIdx.x % 32 == 0) set.cuts[i] = cut;
}

/// Whether keys of other bits may have one code, so that a code does not tell its key.
template <class Codec>
inline constexpr bool kSharesCodes = false;
template <class Bits>
inline constexpr bool kSharesCodes<ValueCodec<Bits>> = true;

template <class Bits, class Shape, bool kHasSlots>
struct SetArea {
  /// So many as all shares together may keep of lists that are not sorted; a multiple of 8, so that slots are aligned.
  static constexpr unsigned kCodes = (Shape::kThreads * (Shape::kItems + 1) + 7) / 8 * 8;
  static constexpr std::uint64_t kBytes = kCodes * (sizeof(Bits) + (kHasSlots ? sizeof(std::uint16_t) : 0));

  Bits* codes;           ///< of the tile's items, later of those that are kept
  std::uint16_t* slots;  ///< where in the tile those were, if they have values or share codes

  __device__ explicit SetArea(void* area)
      : codes(static_cast<Bits*>(area)), slots(reinterpret_cast<std::uint16_t*>(codes + kCodes)) {}
};

template <class Shape>
struct SetCounts {
  SetCut<std::uint16_t> cuts[Shape::kThreads];
  unsigned of_warps[Shape::kWarps];
  std::uint64_t prefix;
};

/// Loads the codes of a tile's items. Lists that are not sorted may have cuts that descend: then it has none of them.
template <class Shape, class Bits, class Codec>
__device__ SetTile<Bits> load_set_tile(const SetOperands<Bits, Codec>& set, const SetCut<std::uint64_t>& cut,
                                       const SetCut<std::uint64_t>& end, Bits* codes) {
  constexpr std::uint64_t kMost = Shape::kTile + 1;
  const auto first_count = static_cast<unsigned>(end.first > cut.first ? min(end.first - cut.first, kMost) : 0);
  const auto second_count =
      static_cast<unsigned>(end.second > cut.second ? min(end.second - cut.second, kMost - first_count) : 0);
  const unsigned count = first_count + second_count;
  const Bits* const first = set.first.keys + cut.first;
  const Bits* const second = set.second.keys + cut.second - first_count;
  const auto key_at = [&](unsigned i) { return (i < first_count ? first : second)[i]; };
  Bits keys[Shape::kItems];
#pragma unroll
  for (unsigned k = 0; k < Shape::kItems; ++k) {
    const unsigned i = k * Shape::kThreads + threadIdx.x;
    if (i < count) keys[k] = key_at(i);
  }
  if (threadIdx.x == 0 && count == kMost) codes[count - 1] = set.codec.encode(key_at(count - 1));
#pragma unroll
  for (unsigned k = 0; k < Shape::kItems; ++k) {
    const unsigned i = k * Shape::kThreads + threadIdx.x;
    if (i < count) codes[i] = set.codec.encode(keys[k]);
  }
  return {codes, first_count, second_count};
}

template <class Shape, bool kHasValues, class Bits, class Codec>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    select_of_lists_kernel(const __grid_constant__ SetOperands<Bits, Codec> set) {
  extern __shared__ uint4 memory[];
  __shared__ SetCounts<Shape> counts;
  await_launch_before();
  constexpr bool kHasSlots = kHasValues || kSharesCodes<Codec>;
  const SetArea<Bits, Shape, kHasSlots> area(memory);
  const unsigned warp = threadIdx.x / 32;
  const unsigned tile_index = claim_tile(set.scan.tile_counter);
  const SetCut<std::uint64_t> cut = set.cuts[tile_index];
  const auto tile = load_set_tile<Shape>(set, cut, set.cuts[tile_index + 1], area.codes);
  __syncthreads();
  const SetCut<unsigned> begin = tile.cut(threadIdx.x * Shape::kItems);
  counts.cuts[threadIdx.x] = {static_cast<std::uint16_t>(begin.first), static_cast<std::uint16_t>(begin.second)};
  __syncthreads();
  SetCut<unsigned> end{tile.first_count, tile.second_count};
  if (threadIdx.x + 1 < Shape::kThreads) {
    const SetCut<std::uint16_t> next = counts.cuts[threadIdx.x + 1];
    end = {next.first, next.second};
  }
  SetShare<Bits, Shape::kItems> share;
  share.walk(tile, begin, end, set.kinds);
  const unsigned kept_here = __popc(share.kept);
  const unsigned up_to_here = warp_inclusive_sum(kept_here);
  if (threadIdx.x % 32 == 31) counts.of_warps[warp] = up_to_here;
  __syncthreads();
  const unsigned of_warp = threadIdx.x % 32 < Shape::kWarps ? counts.of_warps[threadIdx.x % 32] : 0;
  const unsigned inclusive = warp_inclusive_sum(of_warp);
  const unsigned kept = __shfl_sync(~0u, inclusive, 31);
  if (threadIdx.x == 0) publish_aggregate(set.scan.status, tile_index, kept);
  unsigned place = __shfl_sync(~0u, inclusive - of_warp, warp) + up_to_here - kept_here;
#pragma unroll
  for (unsigned k = 0; k < share.kSteps; ++k) {
    if ((share.kept >> k & 1) == 0) continue;
    area.codes[place] = share.codes[k];
    if constexpr (kHasSlots) area.slots[place] = share.slots[k];
    ++place;
  }
  if (warp == 0) {
    const std::uint64_t prefix = prefix_of_published(set.scan.status, tile_index, kept);
    if (threadIdx.x == 0) counts.prefix = prefix;
    if (threadIdx.x == 0 && tile_index + 1 == set.tile_count) *set.out.count = min(prefix + kept, set.room);
  }
  __syncthreads();
  const std::uint64_t target = counts.prefix;
  const std::uint64_t room = set.room > target ? set.room - target : 0;
  const unsigned written = kept < room ? kept : static_cast<unsigned>(room);
  for (unsigned i = threadIdx.x; i < written; i += Shape::kThreads) {
    if constexpr (kSharesCodes<Codec>) {
      const unsigned slot = area.slots[i];
      set.out.keys[target + i] = slot < tile.first_count ? set.first.keys[cut.first + slot]
                                                         : set.second.keys[cut.second + (slot - tile.first_count)];
    } else {
      set.out.keys[target + i] = set.codec.decode(area.codes[i]);
    }
  }
  if constexpr (kHasValues) {
    const std::uint64_t bytes = set.out.value_bytes;
    const std::byte* const first = set.first.values + cut.first * bytes;
    const std::byte* const second = set.second.values + cut.second * bytes;
    for (unsigned i = threadIdx.x; i < written; i += Shape::kThreads) {
      const unsigned slot = area.slots[i];
      set.copy_value(slot < tile.first_count ? first + slot * bytes : second + (slot - tile.first_count) * bytes,
                     set.out.values + (target + i) * bytes);
    }
  }
}

/// Scratch of a set operation.
struct SetScratch {
  SetScratch(std::uint64_t tile_count, void* area) : layout(area), scan(scan_state(layout, tile_count)) {
    cuts = layout.take<SetCut<std::uint64_t>>(tile_count + 1);
  }

  ScratchLayout layout;
  ScanState scan;
  SetCut<std::uint64_t>* cuts;
};

/// Launches the kernels. `set`: without tile_count, cuts and scan.
template <class Shape, bool kHasValues, class Bits, class Codec>
void launch_set_operation(SetOperands<Bits, Codec> set, void* scratch, cudaStream_t stream) {
  set.tile_count = divide_up(set.count(), std::uint64_t{Shape::kTile});
  const SetScratch areas(set.tile_count, scratch);
  set.cuts = areas.cuts;
  set.scan = areas.scan;
  find_set_cuts_kernel<Shape>
      <<<grid_of_tiles(divide_up((set.tile_count + 1) * 32, kCutThreads)), kCutThreads, 0, stream>>>(
          set, static_cast<unsigned*>(scratch), areas.scan.size_bytes / sizeof(unsigned));
  check_launch("kernel that finds the tiles of a set operation");
  const auto kernel = select_of_lists_kernel<Shape, kHasValues, Bits, Codec>;
  constexpr const char* kName = "kernel of a set operation";
  constexpr bool kHasSlots = kHasValues || kSharesCodes<Codec>;
  using Area = SetArea<Bits, Shape, kHasSlots>;
  allow_shared_bytes(kernel, Area::kBytes, kName);
  launch_overlapping(kernel, kName, {grid_of_tiles(set.tile_count), Shape::kThreads, Area::kBytes},
                     has_code_for_90(kernel), stream, set);
}

}  // namespace sortie::kernels
