// Sorted numbers in fewer bytes on their way from the device to the host: neighbours differ little, so only their
// differences travel, and the host adds them up again with all its cores while more arrive. The link is what a sort of
// an array waits for: 2^31 uniform 64-bit numbers take three fifths of the bytes, as many 32-bit ones a quarter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include "kernels/number_codec.hpp"

namespace sortie::kernels {

/// Codes that are packed as one; places in packed pieces are given in blocks.
inline constexpr std::uint32_t kPackedBlockCodes = 512;

/// What pack_sorted() says of a piece that it did not pack, for it would have saved less than an eighth.
inline constexpr std::uint64_t kNotWorthPacking = ~std::uint64_t{0};

/// Packs ascending codes in pieces of `piece_codes`, the last one shorter. Piece i begins where it would if it were not
/// packed, at byte i * piece_codes * sizeof(Code) of `packed`, which has room for all codes and is aligned to 64 bytes;
/// it has packed_piece_bytes(..., lines[i]) bytes. `piece_codes`: a multiple of kPackedBlockCodes. Device pointers.
/// One launch; does not synchronise or allocate. Throws sortie::Error if the launch is refused.
void pack_sorted(const std::uint32_t* codes, std::uint64_t count, std::uint64_t piece_codes, std::byte* packed,
                 std::uint32_t* lines, cudaStream_t stream);
void pack_sorted(const std::uint64_t* codes, std::uint64_t count, std::uint64_t piece_codes, std::byte* packed,
                 std::uint32_t* lines, cudaStream_t stream);

/// Bytes of a packed piece of `count` codes, each `code_bytes` long, that has so many lines, or kNotWorthPacking.
std::uint64_t packed_piece_bytes(std::uint64_t count, unsigned code_bytes, std::uint32_t lines);

/// On the host, the numbers of `order` whose codes are in blocks [first_block, last_block) of a packed piece of `count`
/// codes, to `numbers`, where the first of those blocks begins: written past the caches, for nobody reads them soon.
/// Several threads may unpack blocks of one piece. `piece`: aligned to 64 bytes.
void unpack_numbers(const NumberOrder& order, const std::byte* piece, std::uint64_t count, std::uint64_t first_block,
                    std::uint64_t last_block, std::byte* numbers);

}  // namespace sortie::kernels
