// Arguments of a radix sort's kernels: its arrays, and a portion of one pass.
#pragma once

#include <cstdint>

#include "kernels/radix/radix_plan.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Whether keys of this type may be packed (byte_packing.hpp).
template <class Number>
inline constexpr bool kPacks = sizeof(Number) == 8;

/// The arrays of a sort. Its passes move the items between primary and alternate arrays in turn. In those of a first
/// pass, primary values that are null stand for the positions of the items.
template <class Key, class Value>
struct RadixArrays {
  Key* keys;
  Key* alternate_keys;
  Value* values;
  Value* alternate_values;
};

/// Which arrays hold a result.
enum class RadixSide { kPrimary, kAlternate };

/// Arguments of one launch, which runs a portion of a pass.
template <class NumberType, class ValueType, class Codec>
struct RadixPortion {
  using Number = NumberType;
  using Value = ValueType;

  RadixArrays<Number, Value> arrays;
  std::uint64_t begin;  ///< where the portion begins in the input
  std::uint64_t count;  ///< items of the portion
  BitRange bits;
  RadixPhase phase;
  unsigned pass;
  unsigned index;  ///< number of the portion in the pass
  unsigned portion_count;
  RadixPlan* plan;
  RadixLaunchState* launch_state;
  std::uint32_t* status;
  std::uint32_t tile_count;      ///< tiles of this portion
  std::uint32_t all_tile_count;  ///< tiles of the longest portion, each with status words
  Codec codec;
};

}  // namespace sortie::kernels
