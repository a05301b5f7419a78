// The two kernels of a set operation: a warp per tile finds where it begins in both lists, then blocks take tile after
// tile: they decide which items of its slices are kept, and write these together.
#pragma once

#include <cstdint>

#include "kernels/common/async_copy.cuh"
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
  unsigned stages;  ///< tiles that a block has in shared memory
  bool recodes;     ///< whether codes differ from keys

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

/// A block's shared memory.
template <class Bits, class Shape, bool kHasValues>
class SetArea {
 public:
  /// So many as all shares together may keep of lists that are not sorted; a multiple of 8, so that slots are aligned.
  static constexpr unsigned kCodes = (Shape::kThreads * (Shape::kItems + 1) + 7) / 8 * 8;

  static constexpr std::uint64_t bytes(unsigned stages) {
    return kCodes * (stages * sizeof(Bits) + (kHasValues ? sizeof(std::uint16_t) : 0));
  }

  __device__ SetArea(void* area, unsigned stages) : codes_(static_cast<Bits*>(area)), stages_(stages) {}

  /// Codes of a tile's items, later of those that are kept.
  __device__ Bits* codes(unsigned stage) const { return codes_ + stage * kCodes; }
  /// Where in the tile the kept items were.
  __device__ std::uint16_t* slots() const { return reinterpret_cast<std::uint16_t*>(codes(stages_)); }

 private:
  Bits* const codes_;
  const unsigned stages_;
};

template <class Shape>
struct SetCounts {
  SetCut<std::uint16_t> cuts[Shape::kThreads];
  unsigned of_warps[Shape::kWarps];
  unsigned next_tile;
  std::uint64_t prefix;
};

/// The slices of both lists that are a tile. Lists that are not sorted may have cuts that descend: then it has none of
/// them.
template <class Shape>
struct SetSlices {
  SetCut<std::uint64_t> begin;
  unsigned first_count;
  unsigned second_count;

  __device__ static SetSlices between(const SetCut<std::uint64_t>& begin, const SetCut<std::uint64_t>& end) {
    constexpr std::uint64_t kMost = Shape::kTile + 1;
    const auto length = [](std::uint64_t from, std::uint64_t to, std::uint64_t most) {
      return static_cast<unsigned>(to > from ? min(to - from, most) : 0);
    };
    const unsigned first_count = length(begin.first, end.first, kMost);
    return {begin, first_count, length(begin.second, end.second, kMost - first_count)};
  }

  __device__ unsigned count() const { return first_count + second_count; }

  /// Calls use(i) for the tile's items that this thread reads.
  template <class Use>
  __device__ void each(const Use& use) const {
#pragma unroll
    for (unsigned k = 0; k < Shape::kItems; ++k) {
      const unsigned i = k * Shape::kThreads + threadIdx.x;
      if (i < count()) use(i);
    }
    if (threadIdx.x == 0 && count() > Shape::kTile) use(Shape::kTile);
  }
};

/// What a block does with one tile after the other. It copies the keys of the next tile while it works on one, if there
/// is shared memory for both.
template <class Shape, bool kHasValues, class Bits, class Codec>
class SetBlock {
 public:
  using Operands = SetOperands<Bits, Codec>;
  using Area = SetArea<Bits, Shape, kHasValues>;
  using Slices = SetSlices<Shape>;

  __device__ SetBlock(const Operands& set, SetCounts<Shape>& counts, void* memory)
      : set_(set), counts_(counts), area_(memory, set.stages) {}

  __device__ void run() {
    unsigned tile = claim_tile(set_.scan.tile_counter);
    fetch(tile);
    while (tile < set_.tile_count) {
      await_copies();
      encode();
      if (threadIdx.x == 0) counts_.next_tile = atomicAdd(set_.scan.tile_counter, 1U);
      __syncthreads();
      const Slices slices = slices_;
      Bits* const codes = area_.codes(stage_);
      const SetTile<Bits> items{codes, slices.first_count, slices.second_count};
      const SetCut<unsigned> begin = items.cut(threadIdx.x * Shape::kItems);
      counts_.cuts[threadIdx.x] = {static_cast<std::uint16_t>(begin.first), static_cast<std::uint16_t>(begin.second)};
      __syncthreads();
      const unsigned next_tile = counts_.next_tile;
      stage_ = (stage_ + 1) % set_.stages;
      if (set_.stages > 1) fetch(next_tile);
      const unsigned kept = keep(tile, items, begin, codes);
      write(tile, slices, codes, kept);
      if (set_.stages == 1) {
        __syncthreads();
        fetch(next_tile);
      }
      tile = next_tile;
    }
  }

 private:
  /// Starts to copy the keys of a tile, if there is one.
  __device__ void fetch(unsigned tile) {
    if (tile >= set_.tile_count) return;
    slices_ = Slices::between(set_.cuts[tile], set_.cuts[tile + 1]);
    const Bits* const first = set_.first.keys + slices_.begin.first;
    const Bits* const second = set_.second.keys + slices_.begin.second - slices_.first_count;
    Bits* const codes = area_.codes(stage_);
    slices_.each([&](unsigned i) {
      const Bits* const from = (i < slices_.first_count ? first : second) + i;
      if constexpr (sizeof(Bits) >= 4) {
        copy_async<sizeof(Bits)>(codes + i, from);
      } else {
        codes[i] = *from;
      }
    });
  }

  /// Turns the keys that this thread has copied into codes.
  __device__ void encode() const {
    if (!set_.recodes) return;
    Bits* const codes = area_.codes(stage_);
    slices_.each([&](unsigned i) { codes[i] = set_.codec.encode(codes[i]); });
  }

  /// Moves the items that are kept together. Returns how many there are. Contains barriers.
  __device__ unsigned keep(unsigned tile, const SetTile<Bits>& items, const SetCut<unsigned>& begin, Bits* codes) {
    SetCut<unsigned> end{items.first_count, items.second_count};
    if (threadIdx.x + 1 < Shape::kThreads) {
      const SetCut<std::uint16_t> next = counts_.cuts[threadIdx.x + 1];
      end = {next.first, next.second};
    }
    SetShare<Bits, Shape::kItems> share;
    share.walk(items, begin, end, set_.kinds);
    const unsigned kept_here = __popc(share.kept);
    const unsigned up_to_here = warp_inclusive_sum(kept_here);
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 31) counts_.of_warps[warp] = up_to_here;
    __syncthreads();
    const unsigned of_warp = threadIdx.x % 32 < Shape::kWarps ? counts_.of_warps[threadIdx.x % 32] : 0;
    const unsigned inclusive = warp_inclusive_sum(of_warp);
    const unsigned kept = __shfl_sync(~0u, inclusive, 31);
    if (threadIdx.x == 0) publish_aggregate(set_.scan.status, tile, kept);
    unsigned place = __shfl_sync(~0u, inclusive - of_warp, warp) + up_to_here - kept_here;
#pragma unroll
    for (unsigned k = 0; k < share.kSteps; ++k) {
      if ((share.kept >> k & 1) == 0) continue;
      codes[place] = share.codes[k];
      if constexpr (kHasValues) area_.slots()[place] = share.slots[k];
      ++place;
    }
    return kept;
  }

  /// Writes them behind those of the tiles before. Contains a barrier.
  __device__ void write(unsigned tile, const Slices& slices, const Bits* codes, unsigned kept) {
    if (threadIdx.x < 32) {
      const std::uint64_t prefix = prefix_of_published(set_.scan.status, tile, kept);
      if (threadIdx.x == 0) counts_.prefix = prefix;
      if (threadIdx.x == 0 && tile + 1 == set_.tile_count) *set_.out.count = min(prefix + kept, set_.room);
    }
    __syncthreads();
    const std::uint64_t target = counts_.prefix;
    const std::uint64_t room = set_.room > target ? set_.room - target : 0;
    const unsigned written = kept < room ? kept : static_cast<unsigned>(room);
    for (unsigned i = threadIdx.x; i < written; i += Shape::kThreads) {
      set_.out.keys[target + i] = set_.codec.decode(codes[i]);
    }
    if constexpr (kHasValues) write_values(slices, target, written);
  }

  __device__ void write_values(const Slices& slices, std::uint64_t target, unsigned written) const {
    const std::uint64_t bytes = set_.out.value_bytes;
    const std::byte* const first = set_.first.values + slices.begin.first * bytes;
    const std::byte* const second = set_.second.values + slices.begin.second * bytes;
    for (unsigned i = threadIdx.x; i < written; i += Shape::kThreads) {
      const unsigned slot = area_.slots()[i];
      set_.copy_value(slot < slices.first_count ? first + slot * bytes : second + (slot - slices.first_count) * bytes,
                      set_.out.values + (target + i) * bytes);
    }
  }

  const Operands& set_;
  SetCounts<Shape>& counts_;
  const Area area_;
  unsigned stage_ = 0;
  Slices slices_;  ///< of the tile that was fetched last
};

template <class Shape, bool kHasValues, class Bits, class Codec>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    select_of_lists_kernel(const __grid_constant__ SetOperands<Bits, Codec> set) {
  extern __shared__ uint4 memory[];
  __shared__ SetCounts<Shape> counts;
  await_launch_before();
  SetBlock<Shape, kHasValues, Bits, Codec>(set, counts, memory).run();
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

/// Launches the kernels. `set`: without what follows its copy_value.
template <class Shape, bool kHasValues, class Bits, class Codec>
void launch_set_operation(SetOperands<Bits, Codec> set, void* scratch, cudaStream_t stream) {
  set.tile_count = divide_up(set.count(), std::uint64_t{Shape::kTile});
  const SetScratch areas(set.tile_count, scratch);
  set.cuts = areas.cuts;
  set.scan = areas.scan;
  using Area = SetArea<Bits, Shape, kHasValues>;
  const std::uint64_t room = shared_bytes_per_block() - sizeof(SetCounts<Shape>);
  set.stages = Shape::kBlocks * (Area::bytes(2) + sizeof(SetCounts<Shape>)) <= room ? 2 : 1;
  const Bits all = static_cast<Bits>(~Bits{0});
  set.recodes = set.codec.encode(Bits{0}) != 0 || set.codec.encode(all) != all;
  find_set_cuts_kernel<Shape>
      <<<grid_of_tiles(divide_up((set.tile_count + 1) * 32, kCutThreads)), kCutThreads, 0, stream>>>(
          set, static_cast<unsigned*>(scratch), areas.scan.size_bytes / sizeof(unsigned));
  check_launch("kernel that finds the tiles of a set operation");
  const auto kernel = select_of_lists_kernel<Shape, kHasValues, Bits, Codec>;
  constexpr const char* kName = "kernel of a set operation";
  allow_shared_bytes(kernel, Area::bytes(set.stages), kName);
  launch_overlapping(
      kernel, kName,
      {persistent_grid(set.tile_count, Shape::kBlocks), Shape::kThreads, Area::bytes(set.stages)},
      has_code_for_90(kernel), stream, set);
}

}  // namespace sortie::kernels
