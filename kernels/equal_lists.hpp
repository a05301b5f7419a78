// Merges sorted lists of equal length that lie side by side, by rounds of the sample-rank merge (merge.hpp, whose
// rules hold here too). The tiles of merge sort, odd-even sort and split radix sort are such lists.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "base/size.hpp"
#include "kernels/merge.hpp"

namespace sortie::kernels {

/// `item_count` items in lists of `list_items` each; the last list may be shorter.
struct EqualLists {
  std::uint64_t item_count = 0;
  std::uint64_t list_items = 1;

  /// The number of lists, at most 2^32 - 1.
  constexpr std::uint32_t list_count() const { return static_cast<std::uint32_t>(divide_up(item_count, list_items)); }
};

/// Scratch for a merge of the lists: about 0.02 bytes an item and 90 bytes a list.
std::uint64_t equal_lists_scratch_bytes(const EqualLists& lists);

/// Says which arrays hold the merge of all lists. This depends on the number of lists alone, not on the data.
constexpr MergeResult equal_lists_result(const EqualLists& lists) { return merge_result(lists.list_count()); }

/// Equal lists in the form that a merge takes, and the scratch that is left for the merge.
struct ListSequences {
  SortedSequences sequences;
  void* merge_scratch = nullptr;
};

/// Writes the lists' offsets into the scratch. Does not synchronise.
ListSequences lay_out_lists(const EqualLists& lists, void* scratch, cudaStream_t stream);

/// Each of these merges all lists of the primary arrays into one, in `order`, ascending if none is given. Returns
/// equal_lists_result(). `scratch` has equal_lists_scratch_bytes(), aligned to 256. Does not synchronise.
template <SortKey Key>
MergeResult merge_equal_lists(Key* primary, Key* alternate, const EqualLists& lists, SortOrder order, void* scratch,
                              cudaStream_t stream) {
  const ListSequences laid_out = lay_out_lists(lists, scratch, stream);
  return merge_rounds(primary, alternate, laid_out.sequences, order, laid_out.merge_scratch, stream);
}

template <SortKey Key>
MergeResult merge_equal_lists(Key* primary, Key* alternate, const EqualLists& lists, void* scratch,
                              cudaStream_t stream) {
  return merge_equal_lists(primary, alternate, lists, SortOrder::kAscending, scratch, stream);
}

template <SortKey Key, SortValue Value>
MergeResult merge_equal_lists(Key* primary_keys, Key* alternate_keys, Value* primary_values, Value* alternate_values,
                              const EqualLists& lists, SortOrder order, void* scratch, cudaStream_t stream) {
  const ListSequences laid_out = lay_out_lists(lists, scratch, stream);
  return merge_rounds(primary_keys, alternate_keys, primary_values, alternate_values, laid_out.sequences, order,
                      laid_out.merge_scratch, stream);
}

/// Merges pairs by prefix, and equal prefixes by the records' further key words if `tie_break` is given.
inline MergeResult merge_equal_lists(const PrefixPairs& primary, const PrefixPairs& alternate, const EqualLists& lists,
                                     const RecordKeys* tie_break, void* scratch, cudaStream_t stream) {
  const ListSequences laid_out = lay_out_lists(lists, scratch, stream);
  return merge_rounds(primary, alternate, laid_out.sequences, tie_break, laid_out.merge_scratch, stream);
}

}  // namespace sortie::kernels
