// The format of packed sorted codes. Codes are stored as differences from the code one row before; each block of 512
// uses as many bits per difference as its largest one needs. Rows follow each other whole, and the bits of
// neighbouring codes lie in neighbouring words, so that the host adds up and unpacks several with each instruction
// (Lemire & Boytsov, Software: Practice and Experience 45, 2015; Afroozeh & Boncz, VLDB 2023).
//
//   piece    | header of block 0 | header 1 | ... | up to 64 bytes | line | line | ...
//   block    512 codes in rows:    | row 0: 0 1 2 ... | row 1 | ... |       a row is as long as a line, if not packed
//   header   | first code | first line | width |
//   line     64 bytes: 8 words of 8 bytes or 16 of 4; a block has `width` of them, wherever in the piece
//
// Word l of a block's lines, one line after the other, is a string of bits from low to high: `width` bits for code l of
// row 0, less the first code; `width` for code l of row 1, less that of row 0; and so forth.
//
// Shared by pack_sorted.cu and unpack_sorted.cpp.
#pragma once

#include <cstdint>

#include "base/size.hpp"
#include "kernels/pack_sorted.hpp"

namespace sortie::kernels {

inline constexpr unsigned kLineBytes = 64;

template <class Code>
struct PackedBlockHeader {
  Code first_code;
  std::uint32_t first_line;
  std::uint32_t width;  ///< bits per difference, at most those of a code
};

template <class Code>
inline constexpr unsigned kCodeBits = 8 * sizeof(Code);

/// Words in a line, which equal the codes in a row.
template <class Code>
inline constexpr unsigned kLineWords = kLineBytes / sizeof(Code);

template <class Code>
inline constexpr unsigned kBlockRows = kPackedBlockCodes / kLineWords<Code>;

constexpr std::uint64_t packed_blocks(std::uint64_t count) { return divide_up(count, kPackedBlockCodes); }

/// Where the lines of a piece of `count` codes begin.
template <class Code>
constexpr std::uint64_t packed_lines_offset(std::uint64_t count) {
  return round_up(packed_blocks(count) * sizeof(PackedBlockHeader<Code>), kLineBytes);
}

/// The largest size of a packed piece of `count` codes. Packing must save an eighth to be worth the host's work.
template <class Code>
constexpr std::uint64_t most_packed_bytes(std::uint64_t count) {
  return count * sizeof(Code) / 8 * 7;
}

}  // namespace sortie::kernels
