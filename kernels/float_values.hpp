// What sorts in totalOrder need around them to sort floats by value: all NaNs are equal and come last, and -0 equals
// +0. Kernels of sorts and merges know totalOrder alone. Floats of one value have the same bits while they are sorted
// stably, and each gets its own back afterwards: as the sort keeps their order, the first of them in the result is the
// first of the input.
//
//   keys    -0  nan1   3  +0  nan2  -1        keys as they come
//   take    +0  NaN    3  +0  NaN   -1        saved: -0 +0 ...  nan2 nan1
//   sort    -1  +0  +0   3  NaN  NaN
//   put     -1  -0  +0   3  nan1 nan2
//
// Keys that are the same bits for the same value cost a read, and no write. README.md says what all kernels share.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/floats/float_format.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Scratch of take_float_bits(): the keys once more, and less than 0.01 bytes an item.
std::uint64_t float_bits_scratch_bytes(const FloatFormat& format, std::uint64_t count);

/// Gives all keys of one value the same bits, and saves those they had in scratch. Keys are aligned as their type.
void take_float_bits(const FloatFormat& format, void* keys, std::uint64_t count, void* scratch, cudaStream_t stream);

/// Gives keys their own bits back. They may have moved since, if those of one value kept their order.
void put_float_bits(const FloatFormat& format, void* keys, std::uint64_t count, void* scratch, cudaStream_t stream);

/// Copies keys of any alignment to `copied`, those of one value with the same bits, and sets positions[i] to i.
template <SortValue Position>
void copy_float_values(const FloatFormat& format, const void* keys, std::uint64_t count, void* copied,
                       Position* positions, cudaStream_t stream);

/// Gives copied keys that have moved their own bits back: `keys` are where they were, positions[i] where copied[i] was.
template <SortValue Position>
void gather_float_bits(const FloatFormat& format, const void* keys, const Position* positions, std::uint64_t count,
                       void* copied, cudaStream_t stream);

/// Turns keys without values in totalOrder into keys in the order of values: negative NaNs leave one end for the other.
/// -0 stay before +0 in ascending order. `alternate_keys`, as large, and `is_moved` are overwritten. Reads and writes
/// nothing else if there are no negative NaNs.
void move_negative_nans(const FloatFormat& format, void* keys, void* alternate_keys, std::uint64_t count,
                        SortOrder order, std::uint32_t* is_moved, cudaStream_t stream);

}  // namespace sortie::kernels
