// The order of strings of any length in device memory.
//
// A merge sort of positions, each with 8 bytes of its string: most comparisons read no string. These bytes are the
// first ones behind what all strings have in common, such as "https://", up to 4096 bytes. Where they are equal, both
// strings are read to the first byte that differs. There are O(n log n) comparisons whatever the strings are, so n
// strings of up to L bytes take O(n L log n) reads at worst, when nearly all begin alike. An H200 sorts 2^27 strings of
// 4 to 28 random letters in 23 ms, a twentieth of the speed of a copy.
//
// From 2^20 strings on a hash table of the different ones is begun. If they are at most 4096, these alone are
// compared, and all strings are sorted by their ranks, without a look at their bytes but to prove that equal hashes
// mean equal strings. If they are more, little time was lost: the first 4097 end it.
//
// device_arrays.hpp says what all calls share.
//
// Satish, Harris and Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009.
#pragma once

#include <cstddef>
#include <cstdint>

#include <driver_types.h>

#include <sortie/cuda/device_arrays.hpp>
#include <sortie/cuda/device_scratch.hpp>
#include <sortie/cuda/status.hpp>

namespace sortie::cuda {

/// Strings side by side: string i is bytes [offsets[i], offsets[i + 1]). It may hold any bytes, zeros among them, and
/// none. This is the layout of Arrow's and cuDF's columns of strings, slices of these included: the first offset need
/// not be 0. All pointers are to device memory.
struct Strings {
  const void* bytes = nullptr;    ///< of any alignment
  const void* offsets = nullptr;  ///< count + 1 of them, ascending; unsigned, or signed and not negative
  std::size_t offset_bytes = 0;   ///< of each offset, which is aligned to as many: 4 or 8
  std::uint64_t count = 0;        ///< less than 2^32

  Strings() noexcept = default;
  Strings(const void* all_bytes, const void* all_offsets, std::size_t bytes_of_offset,
          std::uint64_t string_count) noexcept
      : bytes(all_bytes), offsets(all_offsets), offset_bytes(bytes_of_offset), count(string_count) {}
  template <PositionNumber T>
  Strings(const void* all_bytes, const T* all_offsets, std::uint64_t string_count) noexcept
      : Strings(all_bytes, all_offsets, sizeof(T), string_count) {}
};

/// Scratch for argsort_strings() of `count` strings with offsets of `offset_bytes`, 4 or 8, to positions of
/// `position_bytes`, 4 or 8: 20 bytes a string, and some 0.1; 8 more if offsets have 4 bytes, and 4 more if positions
/// have 8. Beside that less than half a megabyte.
std::size_t argsort_strings_scratch_bytes(std::size_t offset_bytes, std::size_t position_bytes,
                                          std::uint64_t count) noexcept;

/// Sets positions[i] to the string that comes i-th in order: in the order of memcmp(), of two strings of which one
/// begins the other, the shorter one first; kDescending the other way around. Equal strings keep their order. Strings
/// stay as they are. How many bytes there are is known on the device alone: that they do not overlap positions or
/// scratch is not checked. Offsets that descend are not noticed, and read what is not theirs.
Status argsort_strings(const Strings& strings, Positions positions, Order order, Scratch scratch,
                       cudaStream_t stream) noexcept;

}  // namespace sortie::cuda
