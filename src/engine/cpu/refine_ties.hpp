// Orders entries whose words are equal by the next words of their keys (Deshpande and Narayanan, HiPC
// 2013, for strings on GPUs; the same idea serves here).
#pragma once

#include <cstdint>
#include <span>

#include "engine/cpu/chunk_sort.hpp"

namespace sortie {

/// Sorts entries by (word, location), then every group of equal words by what follows `word_index`,
/// the position in the key of the words that the entries hold. Parallel for large inputs.
void sort_and_refine(const ChunkRecords& records, std::span<Entry> entries, std::uint64_t word_index,
                     unsigned level = 0);

/// The same for entries whose words are all equal and that are in input order.
/// `level` counts the recursion, which is cut off by a comparison sort so that no input exhausts the stack.
void refine_group(const ChunkRecords& records, std::span<Entry> group, std::uint64_t word_index, unsigned level = 0);

}  // namespace sortie
