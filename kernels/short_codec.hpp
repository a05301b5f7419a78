// Turns numbers of 8 and 16 bits in place into unsigned integers of the same order, and back: number_codec.hpp for
// short numbers. Sorts of short keys take unsigned ones in ascending order alone; with this they take all.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/number_codec.hpp"

namespace sortie::kernels {

/// Replaces each of `count` numbers, of order.bytes 1 or 2, by its code. Floats have 2 bytes, of any split between
/// exponent and fraction. `numbers` is device memory aligned to 4 bytes. Does nothing unless needs_codec(order).
/// Does not synchronise or allocate. Throws sortie::Error if the launch is refused.
void encode_short_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream);

/// The inverse of encode_short_numbers().
void decode_short_numbers(const NumberOrder& order, void* numbers, std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::kernels
