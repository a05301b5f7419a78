// Radix select: the k items that come first in order, without sorting the others. The code of the k-th item is found
// digit by digit, of 11 bits each, from the highest on: a read of the keys counts the digits of those that agree with
// the digits found so far. Once few items are left that may be selected, they are moved together, and only they are
// read. Then one pass moves the items before the k-th, and as many of its equals as are left, in the order of the
// input. Alabi, Blanchard, Gordon and Steinbach, "Fast k-selection algorithms for graphics processing units", 2012;
// Zhang, Naruse, Li and Wang, "Parallel Top-K Algorithms on GPU: A Comprehensive Study and New Methods", 2023, for
// candidates.
//
// Nothing synchronises or allocates. Inputs, outputs and scratch must not overlap. Pointers are to device memory,
// arrays aligned as their types, scratch to 256. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Scratch for radix_select(): less than 0.3 bytes an item, 16 bytes a selected one, and 100 KB.
template <class Bits, SortValue Position>
std::uint64_t radix_select_scratch_bytes(std::uint64_t count, std::uint64_t selected_count);

/// Writes the `selected_count` items with the lowest codes, and their positions: first those below the highest code
/// among them, in the order of the input, then its equals, those that come first in the input. A stable sort of the
/// output then gives the beginning of a stable sort of the input. 1 <= selected_count <= count. Bits: an
/// unsigned integer; Codec: KeyCodec<Bits> for 4 and 8 bytes, ShortCodec<Bits> for 1 and 2, ValueCodec<Bits> for floats
/// by value, whose keys then have the bits of their value. Reads many keys
/// once if the sample serves, else twice if the first digit leaves few, and at most once for each digit and twice more.
template <class Bits, class Codec, SortValue Position>
void radix_select(const Bits* keys, std::uint64_t count, const Codec& codec, std::uint64_t selected_count,
                  Bits* selected_keys, Position* selected_positions, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
