// Makes sorted fixed-length elements compressible: differences of neighbours, then byte columns. Sorted
// neighbours share their leading bytes, which become long stretches of zeros. Used by the block codec.
//
//   elements   | a0 a1 a2 a3 | b0 b1 b2 b3 | c0 c1 c2 c3 |
//   deltas     | a           | b - a       | c - b       |
//   columns    | byte 0 of every delta | byte 1 ... | byte 2 ... | byte 3 ... |
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sortie {

enum class DeltaKind : std::uint8_t {
  kNumber = 0,  ///< the element is one little-endian number of 4 or 8 bytes
  kByte = 1,    ///< every byte is a number of its own
};

struct ElementShape {
  DeltaKind delta = DeltaKind::kByte;
  std::uint8_t bytes = 0;  ///< size of one element
};

inline constexpr std::size_t kMaxElementBytes = 255;

bool is_valid(const ElementShape& shape);

/// Preconditions: the shape is valid; both sides have the same size, a multiple of shape.bytes, and do
/// not overlap.
void delta_shuffle(const ElementShape& shape, std::span<const std::byte> elements, std::span<std::byte> columns);

/// The inverse.
void undo_delta_shuffle(const ElementShape& shape, std::span<const std::byte> columns, std::span<std::byte> elements);

}  // namespace sortie
