// Positions of lines in the input, and references to lines that stay there, as eight bytes that stand in an encoded
// line: seven bits each with the high bit set, so that no delimiter occurs among them, and the lesser position is less
// in bytes.
//
//   reference   | offset of the line : 36 | its bytes, all ones if they are more : 20 |
//
// The record codec writes them, and the ranks of lines in ties. References order by offset.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {

inline constexpr std::size_t kPositionBytes = sizeof(std::uint64_t);

/// `position` is below 2^56.
inline void store_position(std::uint64_t position, std::byte* out) {
  const auto spread = [&](std::uint64_t low, unsigned bits) {
    position = (position & low) | (position & ~low) << bits;
  };
  spread(0x000000000FFFFFFFU, 4);
  spread(0x00003FFF00003FFFU, 2);
  spread(0x007F007F007F007FU, 1);
  store_as(out, byte_swap(position | kHighBits));
}

inline std::uint64_t load_position(const std::byte* stored) {
  std::uint64_t position = byte_swap(load_as<std::uint64_t>(stored)) & ~kHighBits;
  const auto close_up = [&](std::uint64_t low, unsigned bits) {
    position = (position & low) | (position & ~low) >> bits;
  };
  close_up(0x007F007F007F007FU, 1);
  close_up(0x00003FFF00003FFFU, 2);
  close_up(0x000000000FFFFFFFU, 4);
  return position;
}

struct LineReference {
  static constexpr unsigned kLengthBits = 20;
  /// Stands for all lengths from here on: where such a line ends must be searched for.
  static constexpr std::uint64_t kLongLine = (1 << kLengthBits) - 1;
  static constexpr std::uint64_t kMostLinesBytes = std::uint64_t{1} << 36;

  std::uint64_t offset = 0;        ///< below kMostLinesBytes
  std::uint64_t stored_bytes = 0;  ///< with the delimiter; kLongLine for a long line

  std::uint64_t position() const { return offset << kLengthBits | std::min(stored_bytes, kLongLine); }
  static LineReference of(std::uint64_t position) { return {position >> kLengthBits, position & kLongLine}; }
};

/// The rank of a line among those whose collated keys begin alike: behind each such key, in bytes that order as it
/// does. The record codec leaves it open; whoever asks strcoll() fills it in, and then lines order by their bytes
/// again.
/// It has seven bits a byte, with the high bit set: no delimiter occurs among them.
inline constexpr std::size_t kRankBytes = 5;
/// The rank is open: nobody has asked strcoll() yet.
inline constexpr std::uint64_t kNoRank = 0;

inline void store_rank(std::uint64_t rank, std::byte* out) {
  for (std::size_t i = kRankBytes; i-- > 0; rank >>= 7) out[i] = static_cast<std::byte>(rank & 0x7F) | std::byte{0x80};
}

inline std::uint64_t load_rank(const std::byte* stored) {
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < kRankBytes; ++i)
    rank = rank << 7 | std::to_integer<std::uint64_t>(stored[i] & std::byte{0x7F});
  return rank;
}

}  // namespace sortie
