#include "table/curve/curve_words.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace sortie::table {
namespace {

/// Points that are worked on at once, coordinate by coordinate: loops of this length become vector instructions.
constexpr std::size_t kBlock = 256;
/// Bits of each coordinate in the second of two words.
constexpr unsigned kLowBits = 8;

using Lane = std::uint32_t[kBlock];
using Block = Lane[kMostDimensions];
using Spread = std::array<std::uint64_t, 256>;

/// For each byte its bits, so many places apart.
constexpr Spread spread_by(std::size_t places) {
  Spread spread{};
  for (std::size_t byte = 0; byte < spread.size(); ++byte) {
    for (std::size_t bit = 0; bit < 8; ++bit) spread[byte] |= std::uint64_t{(byte >> bit) & 1} << (bit * places);
  }
  return spread;
}

constexpr auto kSpreads = [] {
  std::array<Spread, kMostDimensions + 1> spreads{};
  for (std::size_t dimensions = 2; dimensions <= kMostDimensions; ++dimensions) {
    spreads[dimensions] = spread_by(dimensions);
  }
  return spreads;
}();

/// Where a bit of one coordinate is set, those below it are flipped in the first coordinate; else these are exchanged.
void turn(std::uint32_t* __restrict first, std::uint32_t* __restrict other, std::uint32_t bit) {
  const std::uint32_t below = bit - 1;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint32_t is_set = (other[i] & bit) != 0 ? ~std::uint32_t{0} : 0;
    const std::uint32_t differing = (first[i] ^ other[i]) & below & ~is_set;
    other[i] ^= differing;
    first[i] ^= differing | (below & is_set);
  }
}

void flip(Lane& lane, std::uint32_t bit) {
  for (std::uint32_t& value : lane) value ^= (value & bit) != 0 ? bit - 1 : 0;
}

/// Skilling's AxestoTranspose: coordinates become numbers whose interleaved bits are the place on the curve.
void transpose(Block& block, std::size_t dimensions, unsigned bits) {
  const std::uint32_t top = std::uint32_t{1} << (bits - 1);
  for (std::uint32_t bit = top; bit > 1; bit >>= 1) {
    flip(block[0], bit);
    for (std::size_t d = 1; d < dimensions; ++d) turn(block[0], block[d], bit);
  }
  for (std::size_t d = 1; d < dimensions; ++d) {
    for (std::size_t i = 0; i < kBlock; ++i) block[d][i] ^= block[d - 1][i];
  }
  Lane flipped = {};
  for (std::uint32_t bit = top; bit > 1; bit >>= 1) {
    for (std::size_t i = 0; i < kBlock; ++i) flipped[i] ^= (block[dimensions - 1][i] & bit) != 0 ? bit - 1 : 0;
  }
  for (std::size_t d = 0; d < dimensions; ++d) {
    for (std::size_t i = 0; i < kBlock; ++i) block[d][i] ^= flipped[i];
  }
}

/// Interleaves `bits` bits of each coordinate, of which the last is `shift` places up.
void interleave(const Block& block, std::size_t dimensions, unsigned shift, unsigned bits, std::size_t count,
                std::uint64_t* words) {
  const Spread& spread = kSpreads[dimensions];
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t word = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const std::uint32_t coordinate = (block[d][i] >> shift) & mask;
      for (unsigned at = 0; at < bits; at += 8) {
        word |= spread[(coordinate >> at) & 0xFF] << (at * dimensions + dimensions - 1 - d);
      }
    }
    words[i] = word;
  }
}

}  // namespace

void write_curve_words(Curve curve, unsigned bits, std::span<const std::uint32_t* const> coordinates, std::size_t count,
                       std::span<std::uint64_t* const> words) {
  const std::size_t dimensions = coordinates.size();
  Block block = {};
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t taken = std::min(kBlock, count - begin);
    for (std::size_t d = 0; d < dimensions; ++d) {
      std::memcpy(block[d], coordinates[d] + begin, taken * sizeof(std::uint32_t));
    }
    if (curve == Curve::kHilbert) transpose(block, dimensions, bits);
    if (words.size() == 1) {
      interleave(block, dimensions, 0, bits, taken, words[0] + begin);
    } else {
      interleave(block, dimensions, kLowBits, bits - kLowBits, taken, words[0] + begin);
      interleave(block, dimensions, 0, kLowBits, taken, words[1] + begin);
    }
  }
}

}  // namespace sortie::table
