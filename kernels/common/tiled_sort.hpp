// A sort in two parts: tiles, by whatever sorts those, and the merge of all tiles. For merge sort and split radix
// sort.
#pragma once

#include "kernels/common/in_out_arrays.hpp"
#include "kernels/equal_lists.hpp"

namespace sortie::kernels {

/// Calls sort_tiles(arrays), which is to sort each tile of the input to its places of the output: the arrays from
/// which the rounds of merges end in the primary ones, so perhaps the input itself. Then launches the merges. Value:
/// NoValue for keys alone.
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
