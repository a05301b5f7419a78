#include "kernels/merge_sort.hpp"

#include <algorithm>

#include "kernels/equal_lists.hpp"
#include "kernels/launch.hpp"
#include "kernels/merge_sort_tile.cuh"
#include "kernels/scratch_layout.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kNarrowThreads = 256;

template <class Arrays>
EqualLists tiles_of(std::uint64_t count) {
  return {count, kMergeSortTuning<typename Arrays::Key, Arrays::kHasValues>.tile_items()};
}

/// Takes the smallest tile of all types, whose lists are the most.
EqualLists most_tiles_of(std::uint64_t count) {
  return {count, std::min({tiles_of<KeyArray<std::uint32_t>>(count).list_items,
                           tiles_of<KeyArray<std::uint64_t>>(count).list_items,
                           tiles_of<PairArray<std::uint32_t>>(count).list_items,
                           tiles_of<PairArray<std::uint64_t>>(count).list_items})};
}

template <class In, class Out, class Before>
void sort_tiles(const In& in, const Out& out, std::uint64_t count, const Before& before, cudaStream_t stream) {
  if (count == 0) return;
  constexpr MergeSortTuning kTuning = kMergeSortTuning<typename In::Key, In::kHasValues>;
  const unsigned grid = grid_of_tiles(divide_up(count, kTuning.tile_items()));
  merge_sort_tile_kernel<<<grid, kTuning.threads, 0, stream>>>(in, out, count, before);
  check_launch("merge sort tile kernel");
}

/// The tiles go to the arrays from which the merges end at home.
template <class Key>
void merge_sort(Key* keys, Key* alternate, std::uint64_t count, void* scratch, cudaStream_t stream) {
  const KeyArray<Key> home{keys};
  const EqualLists tiles = tiles_of<KeyArray<Key>>(count);
  const bool starts_at_home = equal_lists_result(tiles) == MergeResult::kPrimary;
  sort_tiles(home, starts_at_home ? home : KeyArray<Key>{alternate}, count, OrderByKey{}, stream);
  merge_equal_lists(starts_at_home ? keys : alternate, starts_at_home ? alternate : keys, tiles, scratch, stream);
}

PairArray<std::uint64_t> array_of(const PrefixPairs& pairs) { return {pairs.prefixes, pairs.indices}; }

__global__ void __launch_bounds__(kNarrowThreads)
    narrow_pairs_kernel(const PrefixPairs wide, PairArray<std::uint32_t> narrow, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kNarrowThreads + threadIdx.x;
  if (i < count) narrow.store(i, {static_cast<std::uint32_t>(wide.prefixes[i]), wide.indices[i]});
}

struct NarrowScratch {
  explicit NarrowScratch(std::uint64_t count, void* area = nullptr) : layout(area) {
    prefixes = layout.take<std::uint64_t>(count);
    alternate_prefixes = layout.take<std::uint64_t>(count);
    merge = layout.take<std::byte>(merge_sort_scratch_bytes(count));
  }

  ScratchLayout layout;
  std::uint64_t* prefixes;
  std::uint64_t* alternate_prefixes;
  std::byte* merge;
};

}  // namespace

std::uint64_t merge_sort_scratch_bytes(std::uint64_t count) { return equal_lists_scratch_bytes(most_tiles_of(count)); }

void merge_sort_keys(std::uint32_t* keys, std::uint32_t* alternate, std::uint64_t count, void* scratch,
                     cudaStream_t stream) {
  merge_sort(keys, alternate, count, scratch, stream);
}

void merge_sort_keys(std::uint64_t* keys, std::uint64_t* alternate, std::uint64_t count, void* scratch,
                     cudaStream_t stream) {
  merge_sort(keys, alternate, count, scratch, stream);
}

void merge_sort_pairs(const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
                      const RecordKeys* tie_break, void* scratch, cudaStream_t stream) {
  const EqualLists tiles = tiles_of<PairArray<std::uint64_t>>(count);
  const bool starts_at_home = equal_lists_result(tiles) == MergeResult::kPrimary;
  const PrefixPairs& first = starts_at_home ? pairs : alternate;
  if (tie_break == nullptr) {
    sort_tiles(array_of(pairs), array_of(first), count, OrderByKey{}, stream);
  } else {
    sort_tiles(array_of(pairs), array_of(first), count, OrderByRecord{*tie_break}, stream);
  }
  merge_equal_lists(first, starts_at_home ? alternate : pairs, tiles, tie_break, scratch, stream);
}

std::uint64_t merge_sort_narrow_scratch_bytes(std::uint64_t count) { return NarrowScratch(count).layout.size_bytes(); }

void merge_sort_pairs(std::uint32_t* keys, std::uint32_t* values, std::uint32_t* alternate_values, std::uint64_t count,
                      void* scratch, cudaStream_t stream) {
  const PairArray<std::uint32_t> home{keys, values};
  const EqualLists tiles = tiles_of<PairArray<std::uint32_t>>(count);
  if (tiles.list_count() <= 1) return sort_tiles(home, home, count, OrderByKey{}, stream);
  const NarrowScratch areas(count, scratch);
  const PrefixPairs primary{areas.prefixes, alternate_values};
  const PrefixPairs alternate{areas.alternate_prefixes, values};
  sort_tiles(home, array_of(primary), count, OrderByKey{}, stream);
  const MergeResult result = merge_equal_lists(primary, alternate, tiles, nullptr, areas.merge, stream);
  const PrefixPairs& merged = result == MergeResult::kPrimary ? primary : alternate;
  narrow_pairs_kernel<<<grid_of_tiles(divide_up(count, kNarrowThreads)), kNarrowThreads, 0, stream>>>(merged, home,
                                                                                                      count);
  check_launch("narrow pairs kernel");
}

}  // namespace sortie::kernels
