// Sample-rank merge of sorted sequences by all multiprocessors at once, for runs made of sorted chunks and for the
// windows of the final merge. Every stride-th item of either side is a sample. In merged order, each g-th sample
// begins a tile; its rank in the other side says where the tile begins there. A tile holds a bounded number of items
// whatever the keys are, so one block merges it in shared memory (merge/merge_plan.hpp).
// Samples: Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009. Threads of a
// block that share a tile: Green, Odeh and Birk, "Merge Path", 2014.
//
// All sequences lie side by side in one array. A round merges each even-numbered sequence with its right neighbour,
// with the same launches for all pairs, and copies a sequence that has no neighbour. The merge is stable in either
// direction: of equal items, those of the left sequence come first. Numbers are compared by their codes, which are
// made as the numbers are loaded; unsigned numbers in ascending order are their own codes. Floats are in totalOrder,
// and keys come back bit for bit.
//
// Any number of items, beyond 2^32 too. A round reads and writes each item once. Nothing synchronises or allocates.
// Values follow their keys. Inputs, outputs and scratch must not overlap. Pointers are to device memory; arrays are
// aligned to 16 bytes, scratch to 256. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/record_keys.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// K sorted sequences side by side: sequence i is items [offsets[i], offsets[i + 1]). Any may be empty.
struct SortedSequences {
  const std::uint64_t* offsets = nullptr;  ///< K + 1 offsets, ascending from 0; memory that the device can read
  std::uint32_t sequence_count = 0;        ///< K
  std::uint64_t item_count = 0;            ///< offsets[K], which the host must know
};

/// The number of rounds that merge K sequences into one: ceil(log2 K).
constexpr unsigned merge_round_count(std::uint32_t sequence_count) {
  unsigned rounds = 0;
  while ((std::uint64_t{1} << rounds) < sequence_count) ++rounds;
  return rounds;
}

/// Scratch for any of the functions below: about 0.02 bytes an item and 80 bytes a sequence.
std::uint64_t merge_scratch_bytes(std::uint64_t item_count, std::uint32_t sequence_count);

/// Runs round `round` of a merge of all sequences. Its inputs are groups of 2^round sequences, which the rounds before
/// it have merged. Round 0 merges the sequences as given; they are sorted in the same order.
template <SortKey Key>
void merge_pass(const Key* in, Key* out, const SortedSequences& sequences, unsigned round, SortOrder order,
                void* scratch, cudaStream_t stream);
template <SortKey Key, SortValue Value>
void merge_pass(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out,
                const SortedSequences& sequences, unsigned round, SortOrder order, void* scratch, cudaStream_t stream);

/// Merges pairs by prefix, and equal prefixes by the records' further key words if `tie_break` is given.
void merge_pass(const PrefixPairs& in, const PrefixPairs& out, const SortedSequences& sequences, unsigned round,
                const RecordKeys* tie_break, void* scratch, cudaStream_t stream);

/// The same in ascending order.
template <SortKey Key>
void merge_pass(const Key* in, Key* out, const SortedSequences& sequences, unsigned round, void* scratch,
                cudaStream_t stream) {
  merge_pass(in, out, sequences, round, SortOrder::kAscending, scratch, stream);
}

/// Which arrays hold the result of merge_rounds().
enum class MergeResult { kPrimary, kAlternate };

/// Says where merge_rounds() leaves its result.
constexpr MergeResult merge_result(std::uint32_t sequence_count) {
  return merge_round_count(sequence_count) % 2 == 0 ? MergeResult::kPrimary : MergeResult::kAlternate;
}

/// Merges all sequences of the primary arrays into one, in merge_round_count() rounds between primary and alternate
/// arrays. Returns merge_result(), which depends on the number of sequences alone, not on the data.
template <SortKey Key>
MergeResult merge_rounds(Key* primary, Key* alternate, const SortedSequences& sequences, SortOrder order, void* scratch,
                         cudaStream_t stream);
template <SortKey Key, SortValue Value>
MergeResult merge_rounds(Key* primary_keys, Key* alternate_keys, Value* primary_values, Value* alternate_values,
                         const SortedSequences& sequences, SortOrder order, void* scratch, cudaStream_t stream);
MergeResult merge_rounds(const PrefixPairs& primary, const PrefixPairs& alternate, const SortedSequences& sequences,
                         const RecordKeys* tie_break, void* scratch, cudaStream_t stream);

/// The same in ascending order.
template <SortKey Key>
MergeResult merge_rounds(Key* primary, Key* alternate, const SortedSequences& sequences, void* scratch,
                         cudaStream_t stream) {
  return merge_rounds(primary, alternate, sequences, SortOrder::kAscending, scratch, stream);
}

}  // namespace sortie::kernels
