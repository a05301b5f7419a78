// Merges sorted lists of equal length that lie side by side, as the blocks of merge sort, odd-even sort and
// split radix sort leave them, by rounds of the sample-rank merge (merge.hpp, whose rules hold here too).
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

  /// Of these there may be 2^32 - 1.
  constexpr std::uint32_t list_count() const { return static_cast<std::uint32_t>(divide_up(item_count, list_items)); }
};

/// About 0.02 bytes an item and 90 bytes a list.
std::uint64_t equal_lists_scratch_bytes(const EqualLists& lists);

/// Where the merge of all lists ends: a matter of numbers, not of data.
constexpr MergeResult equal_lists_result(const EqualLists& lists) { return merge_result(lists.list_count()); }

/// Merges all lists of the primary arrays into one. Returns equal_lists_result(). Does not synchronise.
MergeResult merge_equal_lists(std::uint32_t* primary, std::uint32_t* alternate, const EqualLists& lists, void* scratch,
                              cudaStream_t stream);
MergeResult merge_equal_lists(std::uint64_t* primary, std::uint64_t* alternate, const EqualLists& lists, void* scratch,
                              cudaStream_t stream);
MergeResult merge_equal_lists(const PrefixPairs& primary, const PrefixPairs& alternate, const EqualLists& lists,
                              const RecordKeys* tie_break, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
