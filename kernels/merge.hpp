// Merges of sorted sequences by all multiprocessors at once, for runs made of sorted chunks and for the windows of the
// final merge. A pass merges up to 16 neighbouring sequences at a time, with the same launches for all of them, and
// reads and writes each item once. Every stride-th item of a sequence is a sample. In merged order, each g-th sample
// begins a tile; its ranks in the other sequences say where the tile begins there. A tile holds a bounded number of
// items whatever the keys are, so one block merges it in shared memory: merge/merge_plan.hpp for two sequences,
// merge/list_merge_plan.hpp for more.
// Samples: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009. Threads of a
// block that share a tile: Green, Odeh and Birk, "Merge Path", 2014.
//
// Sequences lie side by side in one array; two lists may lie apart. If items are equal, those of the left sequence come
// first. Numbers are compared by their codes, which are made as the numbers are loaded; unsigned numbers in ascending
// order are their own codes. README.md says what all kernels share.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "base/size.hpp"
#include "kernels/record_keys.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// K sorted sequences side by side: sequence i is items [offsets[i], offsets[i + 1]). Any may be empty.
struct SortedSequences {
  const std::uint64_t* offsets = nullptr;  ///< K + 1 offsets, ascending from 0; memory that the device can read
  std::uint32_t sequence_count = 0;        ///< K
  std::uint64_t item_count = 0;            ///< offsets[K], which the host must know
};

/// A pass merges up to 2^kMostWayBits sequences at a time.
inline constexpr unsigned kMostWayBits = 4;

/// The number of passes that merge K sequences into one.
constexpr unsigned merge_pass_count(std::uint32_t sequence_count) {
  unsigned passes = 0;
  while ((std::uint64_t{1} << kMostWayBits * passes) < sequence_count) ++passes;
  return passes;
}

/// Scratch for merge_sequences() with as many sequences, or fewer: about 0.07 bytes an item and 80 bytes a
/// sequence.
std::uint64_t merge_scratch_bytes(std::uint64_t item_count, std::uint32_t sequence_count);

/// Which arrays hold the result of merge_sequences().
enum class MergeResult { kPrimary, kAlternate };

/// Says where merge_sequences() leaves its result.
constexpr MergeResult merge_result(std::uint32_t sequence_count) {
  return merge_pass_count(sequence_count) % 2 == 0 ? MergeResult::kPrimary : MergeResult::kAlternate;
}

/// Where the passes of a merge go: the first one reads the input, the last one writes the output, and all write
/// output and spare array in turn. An odd number of passes may have the input as spare array, an even one as
/// output, which then is overwritten.
template <class T>
struct MergeArrays {
  const T* input = nullptr;
  T* output = nullptr;
  T* spare = nullptr;  ///< may be null if there is one pass
};

/// Arrays for passes that write the alternate and the primary array in turn: they begin in the primary one, and end in
/// that of merge_result().
template <class T>
constexpr MergeArrays<T> arrays_in_turn(T* primary, T* alternate, std::uint32_t sequence_count) {
  if (merge_result(sequence_count) == MergeResult::kPrimary) return {primary, primary, alternate};
  return {primary, alternate, primary};
}

/// Merges all sequences of the input into one, in merge_pass_count() passes. Precondition: there are two sequences or
/// more, or the input is the output. Without values, Value is NoValue.
template <SortKey Key, class Value>
void merge_sequences(const MergeArrays<Key>& keys, const MergeArrays<Value>& values, const SortedSequences& sequences,
                     SortOrder order, void* scratch, cudaStream_t stream);

/// Merges all sequences of the primary arrays into one, in merge_pass_count() passes between primary and alternate
/// arrays. Returns merge_result(), which depends on the number of sequences alone, not on the data.
template <SortKey Key>
MergeResult merge_sequences(Key* primary, Key* alternate, const SortedSequences& sequences, SortOrder order,
                            void* scratch, cudaStream_t stream) {
  merge_sequences(arrays_in_turn(primary, alternate, sequences.sequence_count), MergeArrays<NoValue>(), sequences,
                  order, scratch, stream);
  return merge_result(sequences.sequence_count);
}

template <SortKey Key, SortValue Value>
MergeResult merge_sequences(Key* primary_keys, Key* alternate_keys, Value* primary_values, Value* alternate_values,
                            const SortedSequences& sequences, SortOrder order, void* scratch, cudaStream_t stream) {
  merge_sequences(arrays_in_turn(primary_keys, alternate_keys, sequences.sequence_count),
                  arrays_in_turn(primary_values, alternate_values, sequences.sequence_count), sequences, order, scratch,
                  stream);
  return merge_result(sequences.sequence_count);
}

MergeResult merge_sequences(const PrefixPairs& primary, const PrefixPairs& alternate, const SortedSequences& sequences,
                            const RecordKeys* tie_break, void* scratch, cudaStream_t stream);

/// The same in ascending order.
template <SortKey Key>
MergeResult merge_sequences(Key* primary, Key* alternate, const SortedSequences& sequences, void* scratch,
                            cudaStream_t stream) {
  return merge_sequences(primary, alternate, sequences, SortOrder::kAscending, scratch, stream);
}

/// A sorted list for merge_two_lists(), aligned as its types. Without values, Value is NoValue.
template <class Key, class Value>
struct MergeList {
  const Key* keys = nullptr;
  const Value* values = nullptr;
  std::uint64_t count = 0;
};

/// Scratch for merge_two_lists() of `item_count` items in all: about 0.02 bytes an item.
std::uint64_t two_list_scratch_bytes(std::uint64_t item_count);

/// Merges two lists that may lie apart into `keys` and `values`, in one pass. Arrays that begin at multiples of 16
/// bytes, or behind each other, are read fastest.
template <SortKey Key, class Value>
void merge_two_lists(const MergeList<Key, Value>& first, const MergeList<Key, Value>& second, Key* keys, Value* values,
                     SortOrder order, void* scratch, cudaStream_t stream);

/// Sorted lists that lie side by side, `item_count` items in lists of `list_items` each; the last list may be shorter.
/// The tiles of merge sort, odd-even sort and split radix sort are such lists: passes of the same merge merge them.
struct EqualLists {
  std::uint64_t item_count = 0;
  std::uint64_t list_items = 1;

  /// The number of lists, at most 2^32 - 1.
  constexpr std::uint32_t list_count() const { return static_cast<std::uint32_t>(divide_up(item_count, list_items)); }
};

/// Scratch for a merge of the lists: about 0.07 bytes an item and 90 bytes a list.
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
  return merge_sequences(primary, alternate, laid_out.sequences, order, laid_out.merge_scratch, stream);
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
  return merge_sequences(primary_keys, alternate_keys, primary_values, alternate_values, laid_out.sequences, order,
                         laid_out.merge_scratch, stream);
}

/// Merges pairs by prefix, and equal prefixes by the records' further key words if `tie_break` is given.
inline MergeResult merge_equal_lists(const PrefixPairs& primary, const PrefixPairs& alternate, const EqualLists& lists,
                                     const RecordKeys* tie_break, void* scratch, cudaStream_t stream) {
  const ListSequences laid_out = lay_out_lists(lists, scratch, stream);
  return merge_sequences(primary, alternate, laid_out.sequences, tie_break, laid_out.merge_scratch, stream);
}

}  // namespace sortie::kernels
