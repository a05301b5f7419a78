// What the kernels of a radix sort are handed: its arrays, and a portion of one pass.
#pragma once

#include <cstdint>

#include "kernels/radix/radix_plan.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Whether keys of the type may be packed (byte_packing.hpp).
template <class Number>
inline constexpr bool kPacks = sizeof(Number) == 8;

/// Items of a sort, and the arrays that its passes write them to in turn.
template <class Key, class Value>
struct RadixArrays {
  Key* keys;
  Key* alternate_keys;
  Value* values;
  Value* alternate_values;
};

/// Arguments of one launch: a portion of a pass.
template <class NumberType, class ValueType, class Codec>
struct RadixPortion {
  using Number = NumberType;
  using Value = ValueType;

  RadixArrays<Number, Value> arrays;
  std::uint64_t begin;  ///< of the portion in the input
  std::uint64_t count;  ///< of the portion
  BitRange bits;
  RadixPhase phase;
  unsigned pass;
  unsigned index;  ///< of the portion in the pass
  unsigned portion_count;
  RadixPlan* plan;
  RadixLaunchState* launch_state;
  std::uint32_t* status;
  std::uint32_t tile_count;      ///< of this portion
  std::uint32_t all_tile_count;  ///< of the longest one: this many tiles have status words
  Codec codec;
};

}  // namespace sortie::kernels
