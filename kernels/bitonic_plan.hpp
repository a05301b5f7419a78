// The comparators of a bitonic sort, as numbers. All point up: the smaller item goes to the lower place.
//
//   mirrored step of size 8    0-7 1-6 2-5 3-4       starts the merge of two sorted halves
//   straight step of size 4    0-2 1-3 4-6 5-7       then sizes 4, 2 finish it
//   straight step of size 2    0-1 2-3 4-5 6-7
//
// Since nothing larger than an item ever moves below it, comparators that reach past the end can be left
// out: the places there act as infinities that are where they belong already.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace sortie::kernels {

inline constexpr unsigned kBitonicThreads = 512;
inline constexpr unsigned kBitonicTile = 2048;  ///< items sorted in shared memory; a power of two

struct Comparator {
  std::uint64_t low;
  std::uint64_t high;
};

/// Comparator `index` of the mirrored step of `size` (a power of two): `size / 2` of them per `size` places.
SORTIE_HD constexpr Comparator mirrored_comparator(std::uint64_t index, std::uint64_t size) {
  const std::uint64_t half = size / 2;
  const std::uint64_t low = ((index & ~(half - 1)) << 1) | (index & (half - 1));
  return {low, low ^ (size - 1)};
}

SORTIE_HD constexpr Comparator straight_comparator(std::uint64_t index, std::uint64_t size) {
  const std::uint64_t half = size / 2;
  const std::uint64_t low = ((index & ~(half - 1)) << 1) | (index & (half - 1));
  return {low, low + half};
}

/// How many comparators of a step of `size` have their low place before `count`.
SORTIE_HD constexpr std::uint64_t comparator_count(std::uint64_t count, std::uint64_t size) {
  const std::uint64_t rest = count % size;
  return count / size * (size / 2) + (rest < size / 2 ? rest : size / 2);
}

}  // namespace sortie::kernels
