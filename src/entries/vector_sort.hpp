// Sorts entries and numbers with Highway's vectorised quicksort (Blacher, Giesen, Kühne: Fast and Robust Vectorized
// In-Place Sorting of Primitive Types, 2021): the leaves of every sort on the CPU. It is compiled in
// vector_quicksort.cpp for each kind of vectors.
// The library libhwy_contrib has it too, but whoever links that waits 5 ms at every start for libhwy to measure its
// clock, which a sort does not need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "entries/entry.hpp"

namespace sortie {

/// Sort in place, ascending, on the calling thread, in O(n log n) steps at worst.
void vector_sort(std::span<Entry> entries);
void vector_sort(std::span<std::uint32_t> numbers);
void vector_sort(std::span<std::uint64_t> numbers);

/// Functions for one kind of vectors. They sort `count` numbers in place, ascending, in O(n log n) steps at worst. A
/// number of 128 bits is two halves, the low one first, aligned to 16 bytes.
struct VectorQuicksorts {
  void (*of_32_bits)(std::uint32_t* numbers, std::size_t count);
  void (*of_64_bits)(std::uint64_t* numbers, std::size_t count);
  void (*of_halves)(std::uint64_t* halves, std::size_t count);
};

/// Those for every kind of vectors that this processor has, the widest first: those are the fastest. At least one.
std::span<const VectorQuicksorts> vector_quicksorts();

}  // namespace sortie
