#include "kernels/split_radix_sort.hpp"

#include <utility>

#include "kernels/equal_lists.hpp"
#include "kernels/item_arrays.hpp"
#include "kernels/launch.hpp"
#include "kernels/number_codec.hpp"
#include "kernels/split_radix_plan.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kAllLanes = 0xffffffff;

/// Where the lists of a tile are split to and fro.
template <class Key, bool kHasValues>
struct SplitShared {
  static constexpr unsigned kValuePlaces = kHasValues ? kSplitPlaces : 1;

  Key keys[2][kSplitPlaces];
  std::uint32_t values[2][kValuePlaces];

  __device__ auto side(unsigned which) {
    if constexpr (kHasValues) {
      return PairArray<Key>{keys[which], values[which]};
    } else {
      return KeyArray<Key>{keys[which]};
    }
  }
};

/// The bits that not all keys of the warp agree in.
template <class Arrays>
__device__ typename Arrays::Key differing_bits(const Arrays& lists, unsigned length) {
  using Key = typename Arrays::Key;
  Key ones = 0;
  Key zeros = 0;
  for (unsigned i = 0; i < length; ++i) {
    const Key key = lists.load(list_place(threadIdx.x, i)).key;
    ones |= key;
    zeros |= static_cast<Key>(~key);
  }
  for (unsigned distance = kSplitLists / 2; distance > 0; distance /= 2) {
    ones |= __shfl_xor_sync(kAllLanes, ones, distance);
    zeros |= __shfl_xor_sync(kAllLanes, zeros, distance);
  }
  return ones & zeros;
}

/// Sorts the lane's list by splitting it on each of `bits`, from `from` to `to` and back. Returns with the
/// sorted lists in `from`.
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

/// Merges the lists, one a lane, into places [0, count) of `merged`: the lanes agree on the smallest head, and
/// the lowest lane that has it gives it away.
template <class Arrays>
__device__ void merge_lists_by_reduction(const Arrays& lists, const Arrays& merged, unsigned length, unsigned count) {
  using Key = typename Arrays::Key;
  const unsigned lane = threadIdx.x;
  unsigned taken = 0;
  Key head = length > 0 ? lists.load(list_place(lane, 0)).key : ~Key{0};
  for (unsigned i = 0; i < count; ++i) {
    Key smallest = head;
    for (unsigned distance = kSplitLists / 2; distance > 0; distance /= 2) {
      const Key other = __shfl_xor_sync(kAllLanes, smallest, distance);
      smallest = other < smallest ? other : smallest;
    }
    const unsigned candidates = __ballot_sync(kAllLanes, taken < length && head == smallest);
    if (lane + 1 != static_cast<unsigned>(__ffs(static_cast<int>(candidates)))) continue;
    merged.store(i, lists.load(list_place(lane, taken)));
    ++taken;
    head = taken < length ? lists.load(list_place(lane, taken)).key : ~Key{0};
  }
}

/// Sorts each tile of `in`, one warp each, to the same places of `out`.
template <class In, class Out>
__global__ void __launch_bounds__(kSplitLists)
    split_radix_tile_kernel(const In in, const Out out, std::uint64_t count) {
  __shared__ SplitShared<typename In::Key, In::kHasValues> shared;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kSplitTile;
  const unsigned tile_count = count - begin < kSplitTile ? static_cast<unsigned>(count - begin) : kSplitTile;
  auto lists = shared.side(0);
  auto spare = shared.side(1);
  for (unsigned i = threadIdx.x; i < tile_count; i += kSplitLists) lists.store(tile_place(i), in.load(begin + i));
  __syncwarp();
  const unsigned length = list_length(threadIdx.x, tile_count);
  split_by_bits(lists, spare, length, differing_bits(lists, length));
  // Merged items take places of `spare` that were other lanes' columns.
  __syncwarp();
  merge_lists_by_reduction(lists, spare, length, tile_count);
  __syncwarp();
  for (unsigned i = threadIdx.x; i < tile_count; i += kSplitLists) out.store(begin + i, spare.load(i));
}

EqualLists tiles_of(std::uint64_t count) { return {count, kSplitTile}; }

template <class In, class Out>
void sort_tiles(const In& in, const Out& out, std::uint64_t count, cudaStream_t stream) {
  if (count == 0) return;
  split_radix_tile_kernel<<<grid_of_tiles(divide_up(count, kSplitTile)), kSplitLists, 0, stream>>>(in, out, count);
  check_launch("split radix tile kernel");
}

/// `in` is `keys` or a view of it. The tiles go to the array from which the merges end at home.
template <class In, class Key>
void split_radix_sort(const In& in, Key* keys, Key* alternate, std::uint64_t count, void* scratch,
                      cudaStream_t stream) {
  const EqualLists tiles = tiles_of(count);
  if (equal_lists_result(tiles) == MergeResult::kAlternate) std::swap(keys, alternate);
  sort_tiles(in, KeyArray<Key>{keys}, count, stream);
  merge_equal_lists(keys, alternate, tiles, scratch, stream);
}

}  // namespace

std::uint64_t split_radix_scratch_bytes(std::uint64_t count) { return equal_lists_scratch_bytes(tiles_of(count)); }

void split_radix_sort_keys(float* keys, float* alternate, std::uint64_t count, void* scratch, cudaStream_t stream) {
  auto* codes = reinterpret_cast<std::uint32_t*>(keys);
  split_radix_sort(FloatArray{codes}, codes, reinterpret_cast<std::uint32_t*>(alternate), count, scratch, stream);
  decode_numbers({FieldKind::kFloat, sizeof(float), false}, keys, count, stream);
}

void split_radix_sort_keys(std::uint32_t* keys, std::uint32_t* alternate, std::uint64_t count, void* scratch,
                           cudaStream_t stream) {
  split_radix_sort(KeyArray<std::uint32_t>{keys}, keys, alternate, count, scratch, stream);
}

void split_radix_sort_keys(std::uint64_t* keys, std::uint64_t* alternate, std::uint64_t count, void* scratch,
                           cudaStream_t stream) {
  split_radix_sort(KeyArray<std::uint64_t>{keys}, keys, alternate, count, scratch, stream);
}

void split_radix_sort_pairs(const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count, void* scratch,
                            cudaStream_t stream) {
  const EqualLists tiles = tiles_of(count);
  const bool starts_at_home = equal_lists_result(tiles) == MergeResult::kPrimary;
  const PrefixPairs& first = starts_at_home ? pairs : alternate;
  sort_tiles(PairArray<std::uint64_t>{pairs.prefixes, pairs.indices},
             PairArray<std::uint64_t>{first.prefixes, first.indices}, count, stream);
  merge_equal_lists(first, starts_at_home ? alternate : pairs, tiles, nullptr, scratch, stream);
}

}  // namespace sortie::kernels
