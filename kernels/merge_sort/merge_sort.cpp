#include "kernels/merge_sort.hpp"

#include "kernels/common/key_codec.hpp"
#include "kernels/common/tiled_sort.hpp"
#include "kernels/merge_sort/merge_sort_plan.hpp"

namespace sortie::kernels {
namespace {

/// The sorted tiles that the lower tiers leave.
template <class Order>
EqualLists tiles_of(std::uint64_t count) {
  return {count, TunedSortTile<Order>::kTuning.tile_items()};
}

template <class Number, class Value>
void merge_sort(Number* keys, Number* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                SortOrder order, void* scratch, cudaStream_t stream) {
  using Bits = CodeOf<Number>;
  using Order = CodeOrder<Bits, Value, KeyCodec<Bits>>;
  const Order code_order{codec_of<Number>(order)};
  sort_tiles_and_merge(keys, alternate_keys, values, alternate_values, tiles_of<Order>(count), order, scratch, stream,
                       [&](const auto& arrays) { sort_tiles(code_order, bits_of(arrays), count, stream); });
}

}  // namespace

std::uint64_t merge_sort_scratch_bytes(std::uint64_t count) {
  return equal_lists_scratch_bytes({count, kSmallestMergeSortTile});
}

template <SortKey Key>
void merge_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, SortOrder order, void* scratch,
                     cudaStream_t stream) {
  NoValue* const no_values = nullptr;
  merge_sort(keys, alternate_keys, no_values, no_values, count, order, scratch, stream);
}

template <SortKey Key, SortValue Value>
void merge_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                      SortOrder order, void* scratch, cudaStream_t stream) {
  merge_sort(keys, alternate_keys, values, alternate_values, count, order, scratch, stream);
}

void merge_sort_pairs(const PrefixPairs& pairs, const PrefixPairs& alternate, std::uint64_t count,
                      const RecordKeys* tie_break, void* scratch, cudaStream_t stream) {
  if (tie_break == nullptr) {
    return merge_sort_pairs(pairs.prefixes, alternate.prefixes, pairs.indices, alternate.indices, count,
                            SortOrder::kAscending, scratch, stream);
  }
  const EqualLists tiles = tiles_of<PairOrder>(count);
  const bool at_home = equal_lists_result(tiles) == MergeResult::kPrimary;
  const PrefixPairs& first = at_home ? pairs : alternate;
  const PrefixPairs& second = at_home ? alternate : pairs;
  sort_tiles(PairOrder{*tie_break}, {pairs.prefixes, first.prefixes, pairs.indices, first.indices}, count, stream);
  merge_equal_lists(first, second, tiles, tie_break, scratch, stream);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_MERGE_SORTS_OF(Key)                                                                            \
  template void merge_sort_keys(Key*, Key*, std::uint64_t, SortOrder, void*, cudaStream_t);                   \
  template void merge_sort_pairs(Key*, Key*, std::uint32_t*, std::uint32_t*, std::uint64_t, SortOrder, void*, \
                                 cudaStream_t);                                                               \
  template void merge_sort_pairs(Key*, Key*, std::uint64_t*, std::uint64_t*, std::uint64_t, SortOrder, void*, \
                                 cudaStream_t);

SORTIE_MERGE_SORTS_OF(std::uint32_t)
SORTIE_MERGE_SORTS_OF(std::int32_t)
SORTIE_MERGE_SORTS_OF(float)
SORTIE_MERGE_SORTS_OF(std::uint64_t)
SORTIE_MERGE_SORTS_OF(std::int64_t)
SORTIE_MERGE_SORTS_OF(double)
// NOLINTEND(bugprone-macro-parentheses)

#undef SORTIE_MERGE_SORTS_OF

}  // namespace sortie::kernels
