#include "kernels/rows/row_kinds.hpp"
#include "kernels/rows/row_launch.cuh"

namespace sortie::kernels {

void sort_rows_of_pairs(const RowSort& sort, cudaStream_t stream) { sort_rows_as(sort, RowPairs{}, stream); }

}  // namespace sortie::kernels
