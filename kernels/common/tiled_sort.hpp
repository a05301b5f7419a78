// A sort in two parts: the caller sorts tiles, and this merges all tiles. For merge sort and split radix sort.
#pragma once

#include "kernels/common/item_arrays.hpp"
#include "kernels/merge.hpp"

namespace sortie::kernels {

/// Calls sort_tiles(arrays), which must sort each tile of the input into the same positions of the output. The output
/// is chosen so that the passes of merges end in the primary arrays; it may be the input itself. Then launches the
/// merges. Value is NoValue for keys alone.
template <class Key, class Value, class SortTiles>
void sort_tiles_and_merge(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values,
                          const EqualLists& tiles, SortOrder order, void* scratch, cudaStream_t stream,
                          const SortTiles& sort_tiles) {
  const bool at_home = equal_lists_result(tiles) == MergeResult::kPrimary;
  const InOutArrays<Key, Value> arrays{keys, at_home ? keys : alternate_keys, values,
                                       at_home ? values : alternate_values};
  sort_tiles(arrays);
  Key* const other_keys = at_home ? alternate_keys : keys;
  if constexpr (kHasValue<Value>) {
    Value* const other_values = at_home ? alternate_values : values;
    merge_equal_lists(arrays.keys_out, other_keys, arrays.values_out, other_values, tiles, order, scratch, stream);
  } else {
    merge_equal_lists(arrays.keys_out, other_keys, tiles, order, scratch, stream);
  }
}

}  // namespace sortie::kernels
