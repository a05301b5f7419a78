// The two kernels of a set operation: one thread per tile finds its limit, then a block per tile loads its slices of
// both lists, decides which items are kept, and writes these together.
#include "kernels/common/launch.hpp"
#include "kernels/common/look_back.cuh"
#include "kernels/select/set_tile.hpp"
#include "kernels/select/value_copy.cuh"
#include "kernels/sorted_sets.hpp"

namespace sortie::kernels {
namespace {

template <class Bits, class Codec>
struct SetOperands {
  SetSelection selection;
  ListItems<Bits> first;
  ListItems<Bits> second;
  Codec codec;
  KeptItems<Bits> out;
  std::uint64_t room;  ///< nothing is written behind so many items, even if the lists are not sorted
  ValueCopy copy_value;
  SetLimit* limits;

  SORTIE_HD std::uint64_t count() const { return first.count + second.count; }
  __device__ CodedKeys<Bits, Codec> codes_of(const ListItems<Bits>& list) const { return {list.keys, codec}; }

  /// The value of the item at a place in the codes of a tile.
  __device__ const std::byte* value_at(const SetLimit& limit, unsigned first_count, unsigned slot) const {
    if (slot < first_count) return first.values + (limit.first + slot) * out.value_bytes;
    return second.values + (limit.second + slot - first_count) * out.value_bytes;
  }
};

template <class Bits, class Codec>
__global__ void __launch_bounds__(kSetThreads)
    find_set_limits_kernel(const __grid_constant__ SetOperands<Bits, Codec> set, std::uint64_t limit_count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kSetThreads + threadIdx.x;
  if (i >= limit_count) return;
  const std::uint64_t diagonal = min(i * set_tile_items(sizeof(Bits)), set.count());
  set.limits[i] =
      set_limit(set.codes_of(set.first), set.first.count, set.codes_of(set.second), set.second.count, diagonal);
}

template <class Bits>
struct SetShared {
  static constexpr unsigned kTile = set_tile_items(sizeof(Bits));

  TileScanStorage<kSetThreads> scan;
  Bits codes[kTile];
  std::uint16_t kept_slots[kTile];
  unsigned kept_count;
};

/// Loads the codes of a tile's items. Lists that are not sorted may have limits that descend: then it has none of them.
template <class Bits, class Codec>
__device__ SetTile<Bits> load_set_tile(const SetOperands<Bits, Codec>& set, unsigned tile, Bits* codes) {
  constexpr std::uint64_t kTile = set_tile_items(sizeof(Bits));
  const SetLimit limit = set.limits[tile];
  const SetLimit end = set.limits[tile + 1];
  const auto first_count = static_cast<unsigned>(end.first > limit.first ? min(end.first - limit.first, kTile) : 0);
  const auto second_count =
      static_cast<unsigned>(end.second > limit.second ? min(end.second - limit.second, kTile - first_count) : 0);
  for (unsigned i = threadIdx.x; i < first_count; i += kSetThreads) {
    codes[i] = set.codec.encode(set.first.keys[limit.first + i]);
  }
  for (unsigned i = threadIdx.x; i < second_count; i += kSetThreads) {
    codes[first_count + i] = set.codec.encode(set.second.keys[limit.second + i]);
  }
  return {codes, first_count, second_count, limit, end};
}

template <class Bits, class Codec>
__global__ void __launch_bounds__(kSetThreads)
    select_of_lists_kernel(const __grid_constant__ SetOperands<Bits, Codec> set, const ScanState scan) {
  constexpr unsigned kItems = set_items(sizeof(Bits));
  __shared__ SetShared<Bits> shared;
  const unsigned tile_index = claim_tile(scan.tile_counter);
  const auto tile = load_set_tile(set, tile_index, shared.codes);
  __syncthreads();
  unsigned slots[kItems];
  const unsigned kept = kept_of_share(set.selection, tile, threadIdx.x * kItems, slots);
  const std::uint64_t target = scan_tile<kSetThreads>(shared.scan, scan.status, tile_index, __popc(kept));
  const std::uint64_t tile_target = shared.scan.prefix;
  auto at = static_cast<unsigned>(target - tile_target);
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if ((kept >> k & 1) != 0) shared.kept_slots[at++] = static_cast<std::uint16_t>(slots[k]);
  }
  if (threadIdx.x + 1 == kSetThreads) shared.kept_count = at;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < shared.kept_count && tile_target + i < set.room; i += kSetThreads) {
    const unsigned slot = shared.kept_slots[i];
    set.out.keys[tile_target + i] = set.codec.decode(shared.codes[slot]);
    if (set.out.value_bytes != 0) {
      set.copy_value(set.value_at(tile.limit, tile.first_count, slot),
                     set.out.values + (tile_target + i) * set.out.value_bytes);
    }
  }
  if (tile_index + 1 == gridDim.x && threadIdx.x == 0) *set.out.count = tile_target + shared.kept_count;
}

/// Scratch of a set operation.
struct SetScratch {
  SetScratch(std::uint64_t tile_count, void* area) : layout(area), scan(scan_state(layout, tile_count)) {
    limits = layout.take<SetLimit>(tile_count + 1);
  }

  ScratchLayout layout;
  ScanState scan;
  SetLimit* limits;
};

}  // namespace

std::uint64_t set_scratch_bytes(std::uint64_t count) {
  constexpr unsigned kSmallestTile = set_tile_items(sizeof(std::uint64_t));
  return SetScratch(divide_up(count, kSmallestTile), nullptr).layout.size_bytes();
}

template <class Bits, class Codec>
void select_of_lists(SetSelection selection, const ListItems<Bits>& first, const ListItems<Bits>& second,
                     const Codec& codec, const KeptItems<Bits>& out, void* scratch, cudaStream_t stream) {
  const std::uint64_t count = first.count + second.count;
  const bool keeps_both = selection == SetSelection::kUnion || selection == SetSelection::kSymmetricDifference;
  const std::uint64_t room = keeps_both ? count : first.count;
  if (room == 0) {
    check_cuda(cudaMemsetAsync(out.count, 0, sizeof *out.count, stream), "clearing the number of items kept");
    return;
  }
  const std::uint64_t tile_count = divide_up(count, set_tile_items(sizeof(Bits)));
  const SetScratch areas(tile_count, scratch);
  check_cuda(cudaMemsetAsync(scratch, 0, areas.scan.size_bytes, stream), "clearing the words of a set operation");
  const SetOperands<Bits, Codec> set{selection,
                                     first,
                                     second,
                                     codec,
                                     out,
                                     room,
                                     ValueCopy::of(out.value_bytes, first.values, second.values, out.values),
                                     areas.limits};
  find_set_limits_kernel<<<grid_of_tiles(divide_up(tile_count + 1, kSetThreads)), kSetThreads, 0, stream>>>(
      set, tile_count + 1);
  check_launch("kernel that finds the limits of a set operation");
  select_of_lists_kernel<<<grid_of_tiles(tile_count), kSetThreads, 0, stream>>>(set, areas.scan);
  check_launch("kernel of a set operation");
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_SELECT_OF_LISTS(Bits, Codec)                                                                 \
  template void select_of_lists(SetSelection, const ListItems<Bits>&, const ListItems<Bits>&, const Codec&, \
                                const KeptItems<Bits>&, void*, cudaStream_t);
// NOLINTEND(bugprone-macro-parentheses)

SORTIE_SELECT_OF_LISTS(std::uint8_t, ShortCodec<std::uint8_t>)
SORTIE_SELECT_OF_LISTS(std::uint16_t, ShortCodec<std::uint16_t>)
SORTIE_SELECT_OF_LISTS(std::uint32_t, KeyCodec<std::uint32_t>)
SORTIE_SELECT_OF_LISTS(std::uint64_t, KeyCodec<std::uint64_t>)

#undef SORTIE_SELECT_OF_LISTS

}  // namespace sortie::kernels
