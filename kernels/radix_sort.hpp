// Radix sort with decoupled look-back, for chunks and for tied items in refinement. A sample says how many leading
// digits of 8 bits tell nearly all keys apart. One read of the keys builds the histograms of those digits and checks
// whether the keys are in order already. One pass per digit moves the items, least significant digit first. Neighbours
// that these digits did not tell apart are then repaired. If the sample misled, a sort by all digits follows. A digit
// that is the same in all keys costs nothing but an empty launch. A sort of fewer than 2^21 items, or by at most four
// digits, takes no sample; one of as few items by at most two digits sorts by these without a look at the keys.
// Launches overlap where the GPU allows it.
//
// Fewer items go other ways, as the table in radix/radix_tuning.hpp has it. Up to 2^19 keys of 8 bytes, 2^17 of 4 and
// 2^18 of 4 with values are sorted by a sample sort, in three launches. Up to 2^13 items, of short keys 2^14, are
// sorted in one launch, by the blocks of a cluster. By whole keys, as few bare keys (2^14 of 4 bytes), and as many
// pairs with keys of 4 bytes as one launch takes (2^14 with values of 4 bytes, 2^13 of 8), are left to the bitonic
// sort, which is faster there.
//
// Keys of 8 and 16 bits without values are counted, and written anew. With values they take a pass per digit, and so do
// keys of 16 bits without values up to 2^17. Long sorts of pairs with keys of 4 bytes take two passes, and sort what is
// left in shared memory, if the keys are spread well.
//
// Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
//
// All functions are stable in either direction, for any count, beyond 2^32 too. Nothing synchronises or allocates.
// Values follow their keys. The result is in the primary arrays, unless a function says otherwise; the alternate arrays
// are overwritten. Arrays must not overlap. Pointers are to device memory, arrays aligned to 16 bytes, scratch to 256.
// Throws sortie::Error if a launch is refused.
#pragma once

#include <concepts>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/number_codec.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Scratch that any radix sort of `count` items needs: less than a byte an item, at most 40 MB in all.
std::uint64_t radix_sort_scratch_bytes(std::uint64_t count);

/// Sorts keys by their numeric order; floats in totalOrder: -NaN, -inf, ... -0, +0, ... +inf, +NaN. Keys come back bit
/// for bit. Unsigned keys in ascending order are the fastest, by a little: the first pass turns all others into
/// unsigned integers of the same order, and the last pass turns them back.
template <SortKey Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, SortOrder order, void* scratch,
                     cudaStream_t stream);
template <SortKey Key, SortValue Value>
void radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                      SortOrder order, void* scratch, cudaStream_t stream);

/// From so many items on radix_argsort() serves.
inline constexpr std::uint64_t kFewestArgsorted = std::uint64_t{1} << 20;

/// Sorts the positions of the keys of `source`, from 0 on, which stay as they are: as radix_sort_pairs() of a copy of
/// the keys and of positions, but the first pass makes both. Keys and alternate arrays are overwritten.
/// Precondition: kFewestArgsorted items or more, aligned to 16 bytes.
template <SortKey Key, SortValue Position>
void radix_argsort(const Key* source, Key* keys, Key* alternate_keys, Position* positions,
                   Position* alternate_positions, std::uint64_t count, SortOrder order, void* scratch,
                   cudaStream_t stream);

/// Bits [begin, end) of a key; bit 0 is the lowest.
struct BitRange {
  unsigned begin = 0;
  unsigned end = 0;
};

/// Sorts unsigned keys in ascending order of the bits `bits` alone. Fewer bits take fewer passes.
template <SortKey Key>
requires std::unsigned_integral<Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, BitRange bits, void* scratch,
                     cudaStream_t stream);
template <SortKey Key, SortValue Value>
requires std::unsigned_integral<Key>
void radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values, std::uint64_t count,
                      BitRange bits, void* scratch, cudaStream_t stream);

/// Keys that take one or two digits.
template <class T>
concept ShortKey = std::same_as<T, std::uint8_t> || std::same_as<T, std::uint16_t>;

/// Scratch that any radix sort of `count` short keys needs: as radix_sort_scratch_bytes(), but half a megabyte at
/// least.
std::uint64_t short_radix_sort_scratch_bytes(std::uint64_t count);

/// Sorts short keys in ascending order.
template <ShortKey Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, void* scratch, cudaStream_t stream);

/// Sorts short keys that are numbers of `order`, of its size, in its direction. Keys that are no unsigned integers in
/// ascending order take as long, on a GPU with the shared memory for their counts: 128 KB for keys of 16 bits.
template <ShortKey Key>
void radix_sort_keys(Key* keys, Key* alternate_keys, std::uint64_t count, const NumberOrder& order, void* scratch,
                     cudaStream_t stream);

/// The arrays that hold sorted items.
template <class Key, class Value>
struct SortedArrays {
  Key* keys;
  Value* values;
};

/// The same with values. Returns the arrays with the result: the primary ones or the alternate ones. A single pass
/// leaves it in the latter, and to copy it back would take as long as the pass.
template <ShortKey Key, SortValue Value>
SortedArrays<Key, Value> radix_sort_pairs(Key* keys, Key* alternate_keys, Value* values, Value* alternate_values,
                                          std::uint64_t count, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
