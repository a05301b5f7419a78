// The launch of a bitonic sort of few pairs, for the files that instantiate it.
#pragma once

#include <type_traits>

#include "kernels/bitonic/bitonic_few_pairs.hpp"
#include "kernels/bitonic/bitonic_launch.cuh"

namespace sortie::kernels {

/// Values of 16 bytes: with more items their copies in the blocks of a cluster took longer than positions and a gather.
using LongPlacedShapes = ClusterShapes<ClusterShape<1, 32>, ClusterShape<1, 128>, ClusterShape<1, 256>>;
/// The last shape holds values of 4 bytes alone.
using PlacedShapes = ClusterShapes<ClusterShape<1, 32>, ClusterShape<1, 128>, ClusterShape<1, 256>, ClusterShape<8, 64>,
                                   ClusterShape<8, 128>, ClusterShape<8, 256>, ClusterShape<8, 512>>;

template <SortKey Key, FewPairsValue Value>
requires(sizeof(Key) == 4) bool bitonic_sort_few_pairs(Key* keys, Value* values, std::uint64_t count, SortOrder order,
                                                       cudaStream_t stream) {
  if (count < 2) return true;
  bool is_done = false;
  with_codec<Key>(order, [&](const auto& codec) {
    using Codec = std::remove_cvref_t<decltype(codec)>;
    const PlacedPairs<Value, Codec> arrays{as_codes(keys), values, codec};
    using Shapes = std::conditional_t<sizeof(Value) == sizeof(uint4), LongPlacedShapes, PlacedShapes>;
    is_done = sort_in_cluster(Shapes(), arrays, count, stream);
  });
  return is_done;
}

}  // namespace sortie::kernels
