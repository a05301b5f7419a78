// What moves in the registers of those who sort short segments: codes of keys, or codes with the position that the key
// has in its segment, which keep the order of equal keys and say in the end where the value is.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/bitonic/bitonic_arrays.cuh"
#include "kernels/common/key_codec.hpp"
#include "kernels/segmented/segment_plan.hpp"

namespace sortie::kernels {

/// Codes alone, which are their own items.
template <class Code>
struct CodeItems {
  using Tile = BitonicKeys<Code>;
  using Item = typename Tile::Item;

  __device__ static Item item(Code code, unsigned) { return code; }
  __device__ static Code code_of(Item item) { return item; }
  __device__ static unsigned position_of(Item) { return 0; }
};

/// A code of 4 bytes and a position are one number.
struct PackedPlaces {
  using Tile = BitonicKeys<std::uint64_t>;
  using Item = Tile::Item;

  __device__ static Item item(std::uint32_t code, unsigned position) { return Item{code} << 32 | position; }
  __device__ static std::uint32_t code_of(Item item) { return static_cast<std::uint32_t>(item >> 32); }
  __device__ static unsigned position_of(Item item) { return static_cast<unsigned>(item); }
};

struct WidePlaces {
  using Tile = BitonicPairs<std::uint64_t, std::uint32_t>;
  using Item = Tile::Item;

  __device__ static Item item(std::uint64_t code, unsigned position) { return {code, position}; }
  __device__ static std::uint64_t code_of(const Item& item) { return item.key; }
  __device__ static unsigned position_of(const Item& item) { return item.value; }
};

template <class Code, class Value>
using SegmentItemsOf = std::conditional_t<!kHasValue<Value>, CodeItems<Code>,
                                          std::conditional_t<sizeof(Code) == 4, PackedPlaces, WidePlaces>>;

/// The arrays that hold the segments.
template <class CodeType, class ValueType>
struct SegmentArrays {
  using Code = CodeType;
  using Value = ValueType;
  using Items = SegmentItemsOf<Code, Value>;
  using Tile = typename Items::Tile;
  using Item = typename Tile::Item;

  Code* keys;
  Value* values;
  KeyCodec<Code> codec;

  /// Item `at` of the segment; behind its end one that goes last.
  __device__ Item load(const Segment& segment, unsigned at) const {
    return at < segment.count ? Items::item(codec.encode(keys[segment.begin + at]), at) : Tile::infinity();
  }

  __device__ void store_key(const Segment& segment, unsigned at, const Item& item) const {
    keys[segment.begin + at] = codec.decode(Items::code_of(item));
  }
};

}  // namespace sortie::kernels
