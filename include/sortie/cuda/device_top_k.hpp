// The items of an array in device memory that come first in order, sorted, and their positions.
//
// device_arrays.hpp says what all calls share.
//
// Ribizel and Anzt, "Parallel selection on GPUs", 2020; Alabi, Blanchard, Gordon and Steinbach, "Fast k-selection
// algorithms for graphics processing units", 2012.
#pragma once

#include <cstddef>
#include <cstdint>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// Scratch for top_k() with positions of `position_bytes`, 4 or 8: less than 0.3 bytes an item, 256 bytes for each of
/// k, and 600 KB; of up to 4096 keys, none. If k is more than 2^17, or 2^16 if keys and a position have more than 8
/// bytes: 16 bytes for each of k, and that of a radix sort of k keys with positions. If k is more than a quarter of
/// all: that of sort_with_positions(), and keys and positions.
std::size_t top_k_scratch_bytes(KeyType key_type, std::size_t position_bytes, std::uint64_t count,
                                std::uint64_t k) noexcept;

/// Writes the k keys that come first in `order`, sorted, to `top_keys`, and their positions in `keys` to
/// `top_positions`; both have room for k. kDescending gives the largest keys. The result is the beginning of that of a
/// stable sort: of equal keys, those that come first in the input come first. k <= count. Keys are of all types, floats
/// in total order or by value; `keys` stay as they are, aligned as their type. Any count, beyond 2^32 too. Where k is
/// small, as said above, reads the keys once, whatever they are, and sorts what may be among the first k; once in a
/// million calls or less a sample misleads it, and one multiprocessor starts again by itself. Where k is larger, reads
/// them once or twice if their highest 11 bits leave few that may be among the first k, and at most eight times. If k
/// is more than a quarter of all, sorts all of them.
Status top_k(ConstKeys keys, std::uint64_t count, std::uint64_t k, Keys top_keys, Positions top_positions, Order order,
             Scratch scratch, cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
