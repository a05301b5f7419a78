// Packs sorted numbers into fewer bytes for their way from the device to the host. Neighbours differ little, so only
// their differences travel. The host adds them up again on all its cores while more arrive. The link is what a sort of
// an array waits for: packing cuts 2^31 uniform 64-bit numbers to three fifths of their bytes, as many 32-bit ones to
// a quarter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include "kernels/number_codec.hpp"

namespace sortie::kernels {

/// Codes in a packed block. Positions in packed pieces are given in blocks.
inline constexpr std::uint32_t kPackedBlockCodes = 512;

/// packed_piece_bytes() returns this for a piece that was not packed because packing would have saved less than an
/// eighth.
inline constexpr std::uint64_t kNotWorthPacking = ~std::uint64_t{0};

/// Packs ascending codes in pieces of `piece_codes`, the last one shorter. Piece i begins where it would if it were
/// not packed, at byte i * piece_codes * sizeof(Code) of `packed`, which has room for all codes and is aligned to 64
/// bytes. Its packed length is packed_piece_bytes(..., lines[i]). `piece_codes` is a multiple of kPackedBlockCodes.
/// Takes device pointers.
/// One launch; does not synchronise or allocate. Throws sortie::Error if the launch is refused.
void pack_sorted(const std::uint32_t* codes, std::uint64_t count, std::uint64_t piece_codes, std::byte* packed,
                 std::uint32_t* lines, cudaStream_t stream);
void pack_sorted(const std::uint64_t* codes, std::uint64_t count, std::uint64_t piece_codes, std::byte* packed,
                 std::uint32_t* lines, cudaStream_t stream);

/// The bytes of a packed piece of `count` codes of `code_bytes` each that has `lines` lines, or kNotWorthPacking.
std::uint64_t packed_piece_bytes(std::uint64_t count, unsigned code_bytes, std::uint32_t lines);

/// Unpacks blocks [first_block, last_block) of a packed piece of `count` codes on the host. Writes the numbers of
/// `order` that the codes stand for to `numbers`, where the first of those blocks begins. The writes bypass the
/// caches, since nobody reads the numbers soon. Several threads may unpack blocks of one piece. `piece` is aligned to
/// 64 bytes.
void unpack_numbers(const NumberOrder& order, const std::byte* piece, std::uint64_t count, std::uint64_t first_block,
                    std::uint64_t last_block, std::byte* numbers);

}  // namespace sortie::kernels
