// What remains of sorted lists: one item of each key, and what two lists have together, apart, or in common. Both are a
// selection of items, which one pass over the data moves together in their order; the sum of those kept before comes by
// decoupled look-back (common/look_back.cuh).
//
// README.md says what all kernels share. Keys are aligned as their types, values anywhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"
#include "kernels/floats/float_format.hpp"
#include "kernels/floats/value_codec.hpp"

namespace sortie::kernels {

/// Scratch for select_distinct(): about 8 bytes per 2048 items.
std::uint64_t select_scratch_bytes(std::uint64_t count);

/// A sorted list as bits, with values of any size; 0 bytes if there are none.
template <class Bits>
struct ListItems {
  const Bits* keys = nullptr;
  const std::byte* values = nullptr;
  std::uint64_t count = 0;
};

/// Where selected items go. There must be room for all that may be kept.
template <class Bits>
struct KeptItems {
  Bits* keys = nullptr;
  std::byte* values = nullptr;
  std::uint64_t value_bytes = 0;
  std::uint64_t* count = nullptr;  ///< set to how many were kept; in memory that the device can write
};

enum class KeptRepeat { kFirst, kLast };

/// Keeps one item of each row of equal keys. Bits: an unsigned integer of 1, 2, 4 or 8 bytes.
template <class Bits>
void select_distinct(const ListItems<Bits>& items, KeptRepeat kept, const KeptItems<Bits>& out, void* scratch,
                     cudaStream_t stream);

/// The same of floats that are sorted by value: all zeros are one key, and all NaNs. What is kept has its own bits.
/// Bits: an unsigned integer of 2, 4 or 8 bytes.
template <class Bits>
void select_distinct_floats(const FloatFormat& format, const ListItems<Bits>& items, KeptRepeat kept,
                            const KeptItems<Bits>& out, void* scratch, cudaStream_t stream);

enum class SetSelection { kUnion, kIntersection, kDifference, kSymmetricDifference };

/// Scratch for select_of_lists() of `count` items in both lists: about 0.005 bytes an item.
std::uint64_t set_scratch_bytes(std::uint64_t count);

/// Keeps what std::set_union() and so on keep: of m equal keys in the first list and n in the second, as many as the
/// larger number, the smaller one, what m is larger, or what either is larger; those of the first list where both have
/// some. Reads each list once. If lists are not sorted, it keeps any items, and no more than there is room for.
/// Bits: an unsigned integer of 1, 2, 4 or 8 bytes; Codec: ShortCodec<Bits> of 1 and 2, KeyCodec<Bits> of 4 and 8, or
/// ValueCodec<Bits> of floats by value, which come with their own bits.
template <class Bits, class Codec>
void select_of_lists(SetSelection selection, const ListItems<Bits>& first, const ListItems<Bits>& second,
                     const Codec& codec, const KeptItems<Bits>& out, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
