// Sorts whose output is the input of another sort. In order, the positions of records are sorted by after the keys; a
// sample is shuffled first, and is put back into the order of the input before anything else is done with it.
//
//   in order        by keys, one of equal records ─▶ by position
//   sample          shuffled, the first N ─▶ by position ─▶ the sort that the other options ask for
//   ... in order    shuffled, the first N ─▶ by position
//
// Which sorts there are, and what each is asked to do: pure. Used by SortChain, which has them done, and by plan().
#pragma once

#include <cstdint>

#include <sortie/options.hpp>

namespace sortie {

/// Whether the first sort draws a sample.
inline bool draws_sample(const SortOptions& options) { return options.sample_records != 0; }

/// How many sorts there are at most: 1 if none is chained.
unsigned chain_length(const SortOptions& options);

/// The options of the first sort: the given ones if it is the only one.
SortOptions first_of_chain(const SortOptions& options);

/// Those of the second sort, by position, whose records are pushed and pulled. `threads` and `memory_bytes`: for it.
SortOptions second_of_chain(const SortOptions& options, unsigned threads, std::uint64_t memory_bytes);

/// Whether a third sort takes what the second gives back, and its options.
bool has_third_sort(const SortOptions& options);
SortOptions third_of_chain(const SortOptions& options, unsigned threads, std::uint64_t memory_bytes);

/// The part of a memory budget that each of so many sorts gets: they are at work at the same time.
std::uint64_t share_of_chain(std::uint64_t budget_bytes, unsigned chain_length);

}  // namespace sortie
