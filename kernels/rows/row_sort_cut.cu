#include "kernels/rows/row_kinds.hpp"
#include "kernels/rows/row_launch.cuh"

namespace sortie::kernels {

static_assert(kMostRowItems <= 1U << RowCuts::kPlaceBits);

void sort_cut_rows(const RowSort& sort, cudaStream_t stream) { sort_rows_as(sort, RowCuts{}, stream); }

}  // namespace sortie::kernels
