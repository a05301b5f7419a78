#include "kernels/rows/row_kinds.hpp"
#include "kernels/rows/row_launch.cuh"

namespace sortie::kernels {

void sort_wide_rows(const RowSort& sort, cudaStream_t stream) {
  using Items = RowNumbers<std::uint64_t>;
  sort_rows_as(sort, Items{sort.place_bytes == 0 ? 0 : Items::kPlaceBits}, stream);
}

}  // namespace sortie::kernels
