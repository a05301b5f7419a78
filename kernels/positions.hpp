// Small arrays that calls need beside their data: the positions of items, which sorts and merges of values of any size
// move in place of the values, positions of 4 bytes made those of 8, and the offsets of lists and of rows. README.md
// says what all kernels share.
#pragma once

#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include "kernels/sort_types.hpp"

namespace sortie::kernels {

/// Sets positions[i] to first + i, i < count. Precondition: all of them fit.
template <SortValue Position>
void fill_positions(Position* positions, std::uint64_t count, cudaStream_t stream, Position first = 0);

/// Sets wide[i] to narrow[i], i < count.
void widen_numbers(const std::uint32_t* narrow, std::uint64_t count, std::uint64_t* wide, cudaStream_t stream);

/// Sets offsets[i] to values[i], which are in memory of the host that may be gone when this returns: so it can be
/// captured into a graph, which a copy of such memory cannot. Takes a launch for each 256.
void write_offsets(std::span<const std::uint64_t> values, std::uint64_t* offsets, cudaStream_t stream);

/// For rows of `row_items` each: sets offsets[r] to where row r begins, r <= row_count.
void fill_row_offsets(std::uint64_t row_count, std::uint64_t row_items, std::uint64_t* offsets, cudaStream_t stream);

/// Sets places[i] to the place of item i in its row.
template <SortValue Place>
void fill_places(Place* places, std::uint64_t row_count, std::uint64_t row_items, cudaStream_t stream);

}  // namespace sortie::kernels
