// Points on a space-filling curve: coordinates become words that order as the curve passes the points. Rows of tables
// that are near each other in several columns come near each other by it. For the keys of sort_table(curve=...).
//
// z-order interleaves the bits of the coordinates. Hilbert order never jumps: points that follow each other are
// neighbours (J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 2004: the transpose
// algorithm).
#pragma once

#include <sortie/curve_keys.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace sortie::table {

inline constexpr std::size_t kMostDimensions = CurveKeys::kMostColumns;
inline constexpr std::size_t kMostCurveWords = 2;

/// Bits of each coordinate that a key of so many dimensions has: as many as fit into one word, and 16 where that would
/// be few.
constexpr unsigned curve_bits(std::size_t dimensions) {
  return dimensions <= 4 ? 64 / static_cast<unsigned>(dimensions) : 16;
}

/// Words of a point whose coordinates have so many bits.
constexpr std::size_t curve_words(std::size_t dimensions, unsigned bits) { return dimensions * bits <= 64 ? 1 : 2; }

/// Writes the words of `count` points. coordinates: an array for each dimension, the first of which counts most.
/// words: an array for each of curve_words(); the first counts most. Preconditions: 2 to kMostDimensions dimensions;
/// coordinates below 2^bits; bits is 1 to 32, and at most curve_bits() or such that one word is enough.
void write_curve_words(Curve curve, unsigned bits, std::span<const std::uint32_t* const> coordinates, std::size_t count,
                       std::span<std::uint64_t* const> words);

}  // namespace sortie::table
