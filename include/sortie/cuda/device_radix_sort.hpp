// Radix sorts of arrays in device memory, and the positions that such a sort gives its items.
//
// All are stable, in either direction. Keys are of all types, floats in total order or by value. A sort works in place;
// its scratch holds as many keys and values once more, and less than 40 MB beside that. With floats by value and values
// the keys are read once more, and scratch holds them twice. device_arrays.hpp says what all calls share.
//
// Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022. Up to some 2^19 items a
// sample sort or a bitonic sort takes its place where that is faster; the result is the same.
#pragma once

#include <cstddef>
#include <cstdint>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// Scratch for radix_sort() of `count` keys with values of `value_bytes` each, 0 if there are none.
std::size_t radix_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept;

/// Sorts `count` keys, and their values with them. It reads and writes each item once per 8 bits in which keys differ,
/// and fewer times where the leading bits tell nearly all keys apart. Keys of 8 and 16 bits without values are read
/// once and written once; with values, those that are signed, floats or descend take two more passes over the keys.
Status radix_sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch,
                  cudaStream_t stream) noexcept;

/// The same for keys alone.
inline Status radix_sort(Keys keys, std::uint64_t count, Order order, Scratch scratch, cudaStream_t stream) noexcept {
  return radix_sort(keys, Values(), count, order, scratch, stream);
}

/// Bits [begin, end) of a key; bit 0 is the lowest.
struct KeyBits {
  unsigned begin = 0;
  unsigned end = 0;
};

/// Sorts in ascending order of these bits of the keys alone; fewer bits take fewer passes. Keys are unsigned, of 32 or
/// 64 bits. Scratch is that of radix_sort().
Status radix_sort_by_bits(Keys keys, Values values, std::uint64_t count, KeyBits bits, Scratch scratch,
                          cudaStream_t stream) noexcept;

/// Scratch for argsort() of `count` keys to positions of `position_bytes` each, 4 or 8: two copies of the keys, one of
/// the positions, and less than 40 MB.
std::size_t argsort_scratch_bytes(KeyType key_type, std::size_t position_bytes, std::uint64_t count) noexcept;

/// Sets positions[i] to the position of the item that comes i-th in order; of items with equal keys the first comes
/// first. Keys stay as they are, and need no alignment.
Status argsort(ConstKeys keys, Positions positions, std::uint64_t count, Order order, Scratch scratch,
               cudaStream_t stream) noexcept;

/// Scratch for sort_with_positions() of `count` keys and positions of `position_bytes` each, 4 or 8: keys and positions
/// once more, and less than 40 MB.
std::size_t sort_with_positions_scratch_bytes(KeyType key_type, std::size_t position_bytes,
                                              std::uint64_t count) noexcept;

/// Does what argsort() does, and writes the keys in order to `sorted_keys`, of the same type: torch.sort(). Keys stay
/// as they are, and need no alignment. Floats by value take a read of the sorted keys more.
Status sort_with_positions(ConstKeys keys, Keys sorted_keys, Positions positions, std::uint64_t count, Order order,
                           Scratch scratch, cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
