// Orders entries whose words are equal by the next words of their keys (Deshpande and Narayanan, HiPC
// 2013, for strings on GPUs; the same idea serves here).
#pragma once

#include <cstdint>
#include <span>

#include "entries/entry.hpp"

namespace sortie {

/// The word index of entries that hold the lengths of lines whose words are all equal: nothing comes after it.
inline constexpr std::uint64_t kLengthWord = ~std::uint64_t{0} - 1;

/// The word index of entries whose words are not known yet: the next word is the first.
inline constexpr std::uint64_t kBeforeFirstWord = ~std::uint64_t{0};

/// The next word that tells the keys of a group apart, if their words up to some index are equal.
struct NextWord {
  bool none = false;        ///< the keys are equal
  std::uint64_t index = 0;  ///< index of the first word that differs, or kLengthWord
};

/// Finds the first word behind `word_index` in which the keys of `stretches` differ. Parallel. Precondition: at least
/// one entry.
NextWord find_next_word(const ChunkRecords& records, std::span<const std::span<Entry>> stretches,
                        std::uint64_t word_index);

/// Gives entries the word `word_index` of their keys.
void assign_words(const ChunkRecords& records, std::span<Entry> entries, std::uint64_t word_index);

/// Sorts entries by (word, location), then every group of equal words by what follows `word_index`,
/// the position in the key of the words that the entries hold. Parallel for large inputs.
void sort_and_refine(const ChunkRecords& records, std::span<Entry> entries, std::uint64_t word_index,
                     unsigned level = 0);

/// Sorts entries of lines, of which few are out of order, by their keys, which are the whole lines. Words are read
/// where the lines begin to differ. Precondition: at least one.
void sort_lines(const ChunkRecords& records, std::span<Entry> lines);

/// The same for entries whose words are all equal and that are in input order.
/// `level` counts the recursion, which is cut off by a comparison sort so that no input exhausts the stack.
void refine_group(const ChunkRecords& records, std::span<Entry> group, std::uint64_t word_index, unsigned level = 0);

}  // namespace sortie
