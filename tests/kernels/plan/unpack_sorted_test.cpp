#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <random>

#include "kernels/common/key_codec.hpp"
#include "kernels/host_packing.hpp"
#include "support/distributions.hpp"

namespace sortie::kernels {
namespace {

constexpr std::byte kUntouched{0xa5};

template <class Code>
constexpr NumberOrder kPlain{FieldKind::kUnsigned, sizeof(Code), false};

/// Unpacks blocks [first_block, last_block) to an address `misplaced` bytes behind a multiple of 64. Also checks the
/// memory around the numbers.
template <class Code>
std::vector<Code> unpacked(const NumberOrder& order, const HostPackedPiece<Code>& piece, std::uint64_t count,
                           std::uint64_t first_block, std::uint64_t last_block, std::size_t misplaced) {
  const std::uint64_t end = std::min<std::uint64_t>(last_block * kPackedBlockCodes, count);
  std::vector<Code> numbers(end - first_block * kPackedBlockCodes);
  const std::size_t bytes = numbers.size() * sizeof(Code);
  std::vector<std::byte> memory(bytes + 3 * kLineBytes, kUntouched);
  const std::size_t phase = reinterpret_cast<std::uintptr_t>(memory.data()) % kLineBytes;
  std::byte* const target = memory.data() + kLineBytes - phase + misplaced;
  unpack_numbers(order, piece.data(), count, first_block, last_block, target);
  std::copy_n(target, bytes, reinterpret_cast<std::byte*>(numbers.data()));
  EXPECT_TRUE(std::all_of(memory.data(), target, [](std::byte b) { return b == kUntouched; }));
  EXPECT_TRUE(std::all_of(target + bytes, memory.data() + memory.size(), [](std::byte b) { return b == kUntouched; }));
  return numbers;
}

template <class Code>
void expect_same_codes(const std::vector<Code>& codes) {
  const HostPackedPiece<Code> piece(codes);
  EXPECT_EQ(unpacked(kPlain<Code>, piece, codes.size(), 0, packed_blocks(codes.size()), 0), codes);
}

template <class Code>
std::vector<Code> sorted_keys(Distribution distribution, std::uint64_t count) {
  std::vector<Code> codes = make_keys<Code>(distribution, count, 61);
  std::ranges::sort(codes);
  return codes;
}

/// The sums may overflow: their values do not matter.
template <class Code>
void expect_every_width() {
  std::mt19937_64 random(62);
  for (unsigned width = 0; width <= kCodeBits<Code>; ++width) {
    SCOPED_TRACE("differences of " + std::to_string(width) + " bits");
    const Code most = width == 0 ? 0 : static_cast<Code>(~Code{0} >> (kCodeBits<Code> - width));
    std::vector<Code> codes(kPackedBlockCodes);
    for (unsigned i = 1; i < kPackedBlockCodes; ++i) {
      const Code difference = i % 100 == 0 ? most : static_cast<Code>(random()) & most;
      codes[i] = difference + (i < kLineWords<Code> ? codes[0] : codes[i - kLineWords<Code>]);
    }
    const HostPackedPiece<Code> piece(codes);
    EXPECT_EQ(piece.lines(), width);
    EXPECT_EQ(unpacked(kPlain<Code>, piece, codes.size(), 0, 1, 0), codes);
  }
}

TEST(UnpackSorted, KnowsDifferencesOfEveryWidth) {
  expect_every_width<std::uint32_t>();
  expect_every_width<std::uint64_t>();
}

TEST(UnpackSorted, GivesBackAllDistributionsAndCounts) {
  for (const Distribution distribution : kAllDistributions) {
    for (const std::uint64_t count : {1, 2, 63, 64, 65, 511, 512, 513, 1024, 10'007}) {
      SCOPED_TRACE(to_string(distribution) + ", " + std::to_string(count) + " codes, seed 61");
      expect_same_codes(sorted_keys<std::uint32_t>(distribution, count));
      expect_same_codes(sorted_keys<std::uint64_t>(distribution, count));
    }
  }
}

TEST(UnpackSorted, GoesFromTheLeastCodeToTheGreatest) {
  std::vector<std::uint64_t> codes(700, 0);
  std::fill(codes.begin() + 100, codes.end(), std::numeric_limits<std::uint64_t>::max());
  expect_same_codes(codes);
}

TEST(UnpackSorted, TakesAnyBlocksToAnyPlace) {
  const std::vector<std::uint32_t> codes =
      sorted_keys<std::uint32_t>(Distribution::kUniform, 5 * kPackedBlockCodes + 7);
  const std::vector<std::size_t> positions = {3, 5, 0, 4, 2, 1};
  const HostPackedPiece<std::uint32_t> piece(codes, positions);
  for (std::uint64_t first = 0; first < 6; ++first) {
    for (std::uint64_t last = first; last <= 6; ++last) {
      for (const std::size_t misplaced : {0, 4, 16, 60}) {
        const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(first * kPackedBlockCodes);
        const auto end = codes.begin() + static_cast<std::ptrdiff_t>(std::min(last * kPackedBlockCodes, codes.size()));
        EXPECT_EQ(unpacked(kPlain<std::uint32_t>, piece, codes.size(), first, last, misplaced),
                  std::vector<std::uint32_t>(begin, end));
      }
    }
  }
}

template <class Code>
void expect_numbers_of(FieldKind kind, bool descending) {
  SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + (descending ? ", descending" : ""));
  const std::vector<Code> codes = sorted_keys<Code>(Distribution::kUniform, 1000);
  std::vector<Code> expected;
  const auto codec = make_key_codec<Code>(kind, descending);
  std::ranges::transform(codes, std::back_inserter(expected), [&](Code code) { return codec.decode(code); });
  const HostPackedPiece<Code> piece(codes);
  EXPECT_EQ(unpacked(NumberOrder{kind, sizeof(Code), descending}, piece, codes.size(), 0, 2, 8), expected);
}

TEST(UnpackSorted, DecodesNumbersOfAllKindsInEitherDirection) {
  for (const FieldKind kind : {FieldKind::kUnsigned, FieldKind::kSigned, FieldKind::kFloat}) {
    for (const bool descending : {false, true}) {
      expect_numbers_of<std::uint32_t>(kind, descending);
      expect_numbers_of<std::uint64_t>(kind, descending);
    }
  }
}

TEST(PackedPieceBytes, CountHeadersAndLines) {
  EXPECT_EQ(packed_piece_bytes(512, 8, 40), 64 + 40 * 64);
  EXPECT_EQ(packed_piece_bytes(5 * 512 + 1, 4, 40), 128 + 40 * 64);
  EXPECT_EQ(packed_piece_bytes(1 << 20, 8, 0), 2048 * 16);
}

TEST(PackedPieceBytes, SaveAnEighthAtLeast) {
  EXPECT_EQ(packed_piece_bytes(512, 8, 55), 3584);
  EXPECT_EQ(packed_piece_bytes(512, 8, 56), kNotWorthPacking);
  EXPECT_EQ(packed_piece_bytes(1, 8, 0), kNotWorthPacking);
}

}  // namespace
}  // namespace sortie::kernels
