#include "kernels/records/delimiter_bits.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sortie::kernels {
namespace {

constexpr std::uint32_t kBitSeed = 56;

unsigned expected_bits(std::uint32_t word, unsigned char delimiter) {
  unsigned bits = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((word >> (8 * i) & 0xff) == delimiter) bits |= 1u << i;
  }
  return bits;
}

/// Carries and borrows between bytes would show in bytes next to the delimiter's value.
TEST(DelimiterBits, EveryDelimiterAmongItsNeighbours) {
  std::mt19937 random(kBitSeed);
  for (unsigned delimiter = 0; delimiter < 256; ++delimiter) {
    for (int round = 0; round < 2000; ++round) {
      std::uint32_t word = 0;
      for (unsigned i = 0; i < 4; ++i)
        word = word << 8 | ((delimiter + static_cast<std::uint32_t>(random() % 4) + 254) & 0xff);
      ASSERT_EQ(delimiters_in_word(word, 0x01010101u * delimiter),
                expected_bits(word, static_cast<unsigned char>(delimiter)))
          << std::hex << word << ", delimiter " << delimiter << ", seed " << kBitSeed;
    }
  }
}

TEST(DelimiterBits, HighBitsAreNoDelimiters) {
  for (const std::uint32_t word : {0x8a8a8a8au, 0x0a8a0b09u, 0xffffffffu, 0u, 0x80808080u, 0x0a0a0a0au}) {
    EXPECT_EQ(delimiters_in_word(word, 0x0a0a0a0au), expected_bits(word, '\n')) << std::hex << word;
  }
}

}  // namespace
}  // namespace sortie::kernels
