// What a merge compares: keys by their codes, or pairs whose equal prefixes are told apart by their records. An order
// presents two arrays as a sequence of the things it compares, and says which comes before which. Host and device
// code, so that the searches are tested without a GPU.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/merge/list_merge_plan.hpp"
#include "kernels/merge/merge_plan.hpp"
#include "kernels/record_keys.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// How a merge of two sides in shared memory notices that one has run out.
enum class SideEnds {
  kGuards,   ///< the largest key stands behind both sides; bare keys may take it in place of an equal key
  kBGuard,   ///< the largest key stands behind b, and the end of a is checked: an item of a precedes an equal one
  kCounted,  ///< the ends of both sides are checked
};

/// Keys are the bits of numbers, in order of their codes. Values, if any, follow them.
template <class KeyType, class ValueType, class Codec>
struct CodeOrder {
  using Key = KeyType;
  using Value = ValueType;
  static constexpr MergeTuning kTuning = merge_tuning(sizeof(Key), kHasValue<Value> ? sizeof(Value) : 0);
  static constexpr ListTuning kListTuning = list_tuning(sizeof(Key), kHasValue<Value> ? sizeof(Value) : 0);
  static constexpr SideEnds kEnds = kHasValue<Value> ? SideEnds::kBGuard : SideEnds::kGuards;

  Codec codec;

  SORTIE_HD CodedKeys<Key, Codec> sequence(const Key* keys, const Value*) const { return {keys, codec}; }
  SORTIE_HD bool operator()(Key a, Key b) const { return a < b; }
  SORTIE_HD Key code_of(Key key) const { return codec.encode(key); }
  SORTIE_HD Key key_of(Key code) const { return codec.decode(code); }
  SORTIE_HD Key largest_key() const { return codec.decode(static_cast<Key>(~Key{0})); }
};

/// A pair in memory. Its index is read only on a tie.
struct PairReference {
  std::uint64_t prefix;
  const std::uint32_t* index;
};

struct PairSequence {
  const std::uint64_t* prefixes;
  const std::uint32_t* indices;

  SORTIE_HD PairReference operator[](std::uint64_t at) const { return {prefixes[at], indices + at}; }
};

/// Orders pairs by prefix, and equal prefixes by the further key words of the records.
struct PairOrder {
  using Key = std::uint64_t;
  using Value = std::uint32_t;
  static constexpr MergeTuning kTuning = kRecordMergeTuning;
  static constexpr ListTuning kListTuning = kRecordListTuning;
  static constexpr SideEnds kEnds = SideEnds::kCounted;

  RecordKeys records;

  SORTIE_HD PairSequence sequence(const Key* keys, const Value* values) const { return {keys, values}; }
  SORTIE_HD bool operator()(const PairReference& a, const PairReference& b) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return records.before(*a.index, *b.index, 1);
  }
  SORTIE_HD Key code_of(Key prefix) const { return prefix; }
  SORTIE_HD Key key_of(Key prefix) const { return prefix; }
  SORTIE_HD Key key_of(const PairReference& item) const { return item.prefix; }
  SORTIE_HD Key largest_key() const { return ~Key{0}; }
};

/// Keys with the positions of their items, in shared memory, and the indices of all pairs by position.
struct PositionedPairs {
  const std::uint64_t* prefixes;
  const std::uint64_t* positions;
  const std::uint32_t* indices;

  SORTIE_HD PairReference operator[](std::uint64_t at) const { return {prefixes[at], indices + positions[at]}; }
};

/// Orders samples of pairs, whose values are their positions, as PairOrder orders the pairs.
struct PositionedPairOrder {
  using Key = std::uint64_t;
  using Value = std::uint64_t;

  const PairOrder* pairs;
  const std::uint32_t* indices;

  SORTIE_HD PositionedPairs sequence(const Key* keys, const Value* positions) const {
    return {keys, positions, indices};
  }
  SORTIE_HD bool operator()(const PairReference& a, const PairReference& b) const { return (*pairs)(a, b); }
  SORTIE_HD Key key_of(const PairReference& item) const { return item.prefix; }
};

/// The order of samples, which have their positions among all items as values. `values` are those of all items.
template <class Key, class Value, class Codec>
SORTIE_HD CodeOrder<Key, std::uint64_t, Codec> sample_order(const CodeOrder<Key, Value, Codec>& order, const Value*) {
  return {order.codec};
}
SORTIE_HD inline PositionedPairOrder sample_order(const PairOrder& order, const std::uint32_t* values) {
  return {&order, values};
}

}  // namespace sortie::kernels
