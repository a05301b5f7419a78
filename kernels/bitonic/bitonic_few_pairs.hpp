// A bitonic sort of few pairs that is stable, as the radix sort is, and faster: keys of 4 bytes and positions are one
// number each. Called by the radix sort.
#pragma once

#include <concepts>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Values that travel beside their keys' codes: positions, or what is moved in one piece of 16 bytes.
template <class T>
concept FewPairsValue = SortValue<T> || std::same_as<T, uint4>;

/// Sorts in place, in one launch. Equal keys keep their order in either direction. Returns false, and does nothing, if
/// there are more pairs than the device sorts in one launch: at most 16384, or 8192 with values of 8 bytes, or 1024 of
/// 16 bytes. Arrays are aligned to 16 bytes. As all sorts it does not synchronise, and throws sortie::Error if the
/// launch is refused.
template <SortKey Key, FewPairsValue Value>
requires(sizeof(Key) == 4) bool bitonic_sort_few_pairs(Key* keys, Value* values, std::uint64_t count, SortOrder order,
                                                       cudaStream_t stream);

}  // namespace sortie::kernels
