#include "kernels/split_radix_sort.hpp"

#include "kernels/common/item_arrays.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/tiled_sort.hpp"
#include "kernels/split_radix/split_radix_plan.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kAllLanes = 0xffffffff;

/// Two buffers for the lists of a tile, between which they are split. A code travels with its position in the tile,
/// not with its value.
template <class Code, bool kHasValues>
struct SplitShared {
  Code codes[2][kSplitPositions];
  std::uint32_t positions[2][kHasValues ? kSplitPositions : 1];

  __device__ auto side(unsigned which) {
    if constexpr (kHasValues) {
      return PairArray<Code>{codes[which], positions[which]};
    } else {
      return KeyArray<Code>{codes[which]};
    }
  }
};

template <class Code>
__device__ void put_item(const KeyArray<Code>& items, unsigned target, Code code, unsigned) {
  items.store(target, {code});
}
template <class Code>
__device__ void put_item(const PairArray<Code>& items, unsigned target, Code code, unsigned position) {
  items.store(target, {code, position});
}

/// The bits in which not all keys of the warp agree.
template <class Arrays>
__device__ typename Arrays::Key differing_bits(const Arrays& lists, unsigned length) {
  using Key = typename Arrays::Key;
  Key ones = 0;
  Key zeros = 0;
  for (unsigned i = 0; i < length; ++i) {
    const Key key = lists.load(list_position(threadIdx.x, i)).key;
    ones |= key;
    zeros |= static_cast<Key>(~key);
  }
  for (unsigned distance = kSplitLists / 2; distance > 0; distance /= 2) {
    ones |= __shfl_xor_sync(kAllLanes, ones, distance);
    zeros |= __shfl_xor_sync(kAllLanes, zeros, distance);
  }
  return ones & zeros;
}

/// Sorts the lane's list by splitting it on each of `bits`, from `from` to `to` and back. On return `from` has the
/// sorted lists.
template <class Arrays>
__device__ void split_by_bits(Arrays& from, Arrays& to, unsigned length, typename Arrays::Key bits) {
  for (unsigned bit = 0; bit < 8 * sizeof bits; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    split_list(from, to, threadIdx.x, length, bit);
    const Arrays split = to;
    to = from;
    from = split;
  }
}

/// Merges the lists, one per lane, into places [0, count) of `merged`. The lanes agree on the smallest head, and the
/// lowest lane that has it stores it.
template <class Arrays>
__device__ void merge_lists_by_reduction(const Arrays& lists, const Arrays& merged, unsigned length, unsigned count) {
  using Key = typename Arrays::Key;
  const unsigned lane = threadIdx.x;
  unsigned taken = 0;
  Key head = length > 0 ? lists.load(list_position(lane, 0)).key : ~Key{0};
  for (unsigned i = 0; i < count; ++i) {
    Key smallest = head;
    for (unsigned distance = kSplitLists / 2; distance > 0; distance /= 2) {
      const Key other = __shfl_xor_sync(kAllLanes, smallest, distance);
      smallest = other < smallest ? other : smallest;
    }
    const unsigned candidates = __ballot_sync(kAllLanes, taken < length && head == smallest);
    if (lane + 1 != static_cast<unsigned>(__ffs(static_cast<int>(candidates)))) continue;
    merged.store(i, lists.load(list_position(lane, taken)));
    ++taken;
    head = taken < length ? lists.load(list_position(lane, taken)).key : ~Key{0};
  }
}

/// Moves the values of a tile into the order of its sorted items. `in` and `out` may be the same.
template <class Code, class Value>
__device__ void move_values(const PairArray<Code>& sorted, unsigned count, const Value* in, Value* out) {
  Value values[kSplitListItems];
#pragma unroll
  for (unsigned k = 0; k < kSplitListItems; ++k) {
    const unsigned i = k * kSplitLists + threadIdx.x;
    if (i < count) values[k] = in[sorted.values[i]];
  }
  __syncwarp();
#pragma unroll
  for (unsigned k = 0; k < kSplitListItems; ++k) {
    const unsigned i = k * kSplitLists + threadIdx.x;
    if (i < count) out[i] = values[k];
  }
}

/// Sorts each tile of the input by one warp, to the same positions of the output, which may be the same arrays.
template <class Bits, class Value>
__global__ void __launch_bounds__(kSplitLists)
    split_radix_tile_kernel(const InOutArrays<Bits, Value> arrays, const KeyCodec<Bits> codec, std::uint64_t count) {
  __shared__ SplitShared<Bits, kHasValue<Value>> shared;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kSplitTile;
  const unsigned tile_count = count - begin < kSplitTile ? static_cast<unsigned>(count - begin) : kSplitTile;
  auto lists = shared.side(0);
  auto spare = shared.side(1);
  for (unsigned i = threadIdx.x; i < tile_count; i += kSplitLists) {
    put_item(lists, tile_position(i), codec.encode(arrays.keys_in[begin + i]), i);
  }
  __syncwarp();
  const unsigned length = list_length(threadIdx.x, tile_count);
  split_by_bits(lists, spare, length, differing_bits(lists, length));
  // Merged items overwrite positions of `spare` that were other lanes' columns.
  __syncwarp();
  merge_lists_by_reduction(lists, spare, length, tile_count);
  __syncwarp();
  for (unsigned i = threadIdx.x; i < tile_count; i += kSplitLists) {
    arrays.keys_out[begin + i] = codec.decode(spare.load(i).key);
  }
  if constexpr (kHasValue<Value>) move_values(spare, tile_count, arrays.values_in + begin, arrays.values_out + begin);
}

EqualLists tiles_of(std::uint64_t count) { return {count, kSplitTile}; }

template <class Number, class Value>
void sort_tiles(const InOutArrays<Number, Value>& arrays, std::uint64_t count, SortOrder order, cudaStream_t stream) {
  if (count == 0) return;
  split_radix_tile_kernel<<<grid_of_tiles(divide_up(count, kSplitTile)), kSplitLists, 0, stream>>>(
      bits_of(arrays), codec_of<Number>(order), count);
  check_launch("split radix tile kernel");
}

}  // namespace

std::uint64_t split_radix_scratch_bytes(std::uint64_t count) { return equal_lists_scratch_bytes(tiles_of(count)); }

template <SortKey Key>
void split_radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, SortOrder order, void* scratch,
                           cudaStream_t stream) {
  NoValue* const no_values = nullptr;
  sort_tiles_and_merge(keys, alternate_keys, no_values, no_values, tiles_of(count), order, scratch, stream,
                       [&](const auto& arrays) { sort_tiles(arrays, count, order, stream); });
}

template <SortKey Key, SortValue Value>
void split_radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                            SortOrder order, void* scratch, cudaStream_t stream) {
  sort_tiles_and_merge(keys, alternate_keys, values, alternate_values, tiles_of(count), order, scratch, stream,
                       [&](const auto& arrays) { sort_tiles(arrays, count, order, stream); });
}

#define SORTIE_SPLIT_RADIX_SORTS_OF(Key)                                                                            \
  template void split_radix_sort_keys(Key*, Key*, std::uint64_t, SortOrder, void*, cudaStream_t);                   \
  template void split_radix_sort_pairs(Key*, Key*, std::uint32_t*, std::uint32_t*, std::uint64_t, SortOrder, void*, \
                                       cudaStream_t);                                                               \
  template void split_radix_sort_pairs(Key*, Key*, std::uint64_t*, std::uint64_t*, std::uint64_t, SortOrder, void*, \
                                       cudaStream_t);

SORTIE_SPLIT_RADIX_SORTS_OF(std::uint32_t)
SORTIE_SPLIT_RADIX_SORTS_OF(std::int32_t)
SORTIE_SPLIT_RADIX_SORTS_OF(float)
SORTIE_SPLIT_RADIX_SORTS_OF(std::uint64_t)
SORTIE_SPLIT_RADIX_SORTS_OF(std::int64_t)
SORTIE_SPLIT_RADIX_SORTS_OF(double)

#undef SORTIE_SPLIT_RADIX_SORTS_OF

}  // namespace sortie::kernels
