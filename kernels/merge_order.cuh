// What a merge compares: bare keys, or pairs whose equal prefixes are told apart by their records.
#pragma once

#include <cstdint>

#include "kernels/merge_tuning.hpp"
#include "kernels/record_keys.hpp"

namespace sortie::kernels {

/// A pair where it lies: the index is read only on a tie.
struct PairReference {
  std::uint64_t prefix;
  const std::uint32_t* index;
};

struct PairSequence {
  const std::uint64_t* prefixes;
  const std::uint32_t* indices;

  __device__ PairReference operator[](std::uint64_t at) const { return {prefixes[at], indices + at}; }
};

struct KeyOrder {
  template <class Key>
  __device__ bool operator()(Key a, Key b) const {
    return a < b;
  }
};

struct TieBreakOrder {
  const RecordKeys& records;

  __device__ bool operator()(const PairReference& a, const PairReference& b) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return records.before(*a.index, *b.index, 1);
  }
};

template <MergeKind kKind, class Key>
__device__ auto merge_sequence(const Key* keys, const std::uint32_t* indices) {
  if constexpr (kKind == MergeKind::kTiedPairs) {
    return PairSequence{keys, indices};
  } else {
    return keys;
  }
}

template <MergeKind kKind>
__device__ auto merge_order(const RecordKeys& records) {
  if constexpr (kKind == MergeKind::kTiedPairs) {
    return TieBreakOrder{records};
  } else {
    return KeyOrder{};
  }
}

__device__ inline std::uint64_t key_of(const PairReference& item) { return item.prefix; }
template <class Key>
__device__ Key key_of(Key item) {
  return item;
}

}  // namespace sortie::kernels
