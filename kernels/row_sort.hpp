// A sort of rows of one length that is known, each by itself, or of one short array, in one launch: some threads of a
// warp, a warp or a block hold a row in registers, and read and write it once. Longer rows are segments
// (segmented_sort.hpp).
//
// Stable where places are written. Nothing synchronises or allocates, and there is no scratch. Throws sortie::Error if
// a launch is refused.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/rows/row_order.hpp"

namespace sortie::kernels {

inline constexpr unsigned kMostRowItems = 4096;

/// Rows side by side, in device memory, aligned as their types. Items are of all number types, as `order` says.
struct RowSort {
  const void* source;
  void* keys;            ///< in order; null: not wanted. May be the source if there are no places, else apart from it
  void* places;          ///< where in its row each item was
  unsigned place_bytes;  ///< of each place: 4 or 8; 0: not wanted
  std::uint64_t row_count;
  unsigned row_items;  ///< of each row; at most kMostRowItems
  RowOrder order;
};

void sort_rows(const RowSort& sort, cudaStream_t stream);

}  // namespace sortie::kernels
