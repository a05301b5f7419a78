// Sample select: the k items that come first in order, sorted, of which there are few. Items are compared by code and
// position, so that no two are equal and the order is that of a stable sort. The ranks of a sample say up to which item
// there are k surely enough, and few more: one read of all keys leaves these candidates. One cluster of blocks selects
// and sorts up to 1024 of them, or of all keys if they are few. Of more, candidates are put into buckets between items
// of a sample, and each bucket is sorted by a block. Ribizel and Anzt, "Parallel selection on GPUs", 2020, for buckets
// between items of a sample.
//
// The sample can mislead, once in a million calls or less whatever the keys are, or if keys are arranged around the
// places that are looked at. Then the cluster selects of all keys, or one block begins again with other samples.
//
// Nothing synchronises or allocates. Inputs, outputs and scratch must not overlap. Pointers are to device memory,
// arrays aligned as their types, scratch to 256. Throws sortie::Error if a launch is refused.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"
#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Whether sample_select() selects so many: up to 2^17 and no more than a quarter, or any number of up to 2^12 items.
template <class Bits, SortValue Position>
bool can_sample_select(std::uint64_t count, std::uint64_t selected_count);

/// Scratch for sample_select(): less than 0.3 bytes an item, 256 bytes a selected one, and 600 KB.
template <class Bits, SortValue Position>
std::uint64_t sample_select_scratch_bytes(std::uint64_t count, std::uint64_t selected_count);

/// Writes the `selected_count` items with the lowest codes, sorted stably, and their positions. Bits: an unsigned
/// integer; Codec: as for radix_select(). Reads the keys once. Precondition:
/// can_sample_select().
template <class Bits, class Codec, SortValue Position>
void sample_select(const Bits* keys, std::uint64_t count, const Codec& codec, std::uint64_t selected_count,
                   Bits* selected_keys, Position* selected_positions, void* scratch, cudaStream_t stream);

}  // namespace sortie::kernels
