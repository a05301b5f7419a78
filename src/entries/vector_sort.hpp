// Sorts small arrays of entries and numbers with Highway's vectorised quicksort: the leaves of every sort on the CPU.
#pragma once

#include <cstdint>
#include <span>

#include "entries/entry.hpp"

namespace sortie {

/// Sort in place, ascending, on the calling thread, in O(n log n) steps at worst.
void vector_sort(std::span<Entry> entries);
void vector_sort(std::span<std::uint32_t> numbers);
void vector_sort(std::span<std::uint64_t> numbers);

}  // namespace sortie
