// Sorts small arrays of integers with Highway's vectorised quicksort: the leaves of every CPU sort.
#pragma once

#include <cstdint>
#include <span>

namespace sortie {

/// What the CPU engine sorts instead of records: a word of the key, and where the record is.
/// Entries order by (word, location), so equal words keep their input order.
///
///   location   | byte offset in the chunk : 40 | stored length : 24, all ones if longer |
struct alignas(16) Entry {
  std::uint64_t location = 0;
  std::uint64_t word = 0;

  friend bool operator==(const Entry&, const Entry&) = default;
  friend bool operator<(const Entry& a, const Entry& b) {
    return a.word != b.word ? a.word < b.word : a.location < b.location;
  }
};

void vector_sort(std::span<Entry> entries);
void vector_sort(std::span<std::uint32_t> numbers);
void vector_sort(std::span<std::uint64_t> numbers);

}  // namespace sortie
