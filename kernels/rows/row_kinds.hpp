// Sorts of rows by what moves in their registers: each is in a file of its own.
#pragma once

#include "kernels/row_sort.hpp"

namespace sortie::kernels {

/// Keys of 1, 2 and 4 bytes without places, and of 1 and 2 bytes with them.
void sort_narrow_rows(const RowSort& sort, cudaStream_t stream);
/// Keys of 8 bytes without places, and of 4 bytes with them.
void sort_wide_rows(const RowSort& sort, cudaStream_t stream);
/// Keys of 8 bytes with places.
void sort_cut_rows(const RowSort& sort, cudaStream_t stream);

}  // namespace sortie::kernels
