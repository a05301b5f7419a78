// Chooses the kind of rows; those of narrow numbers are here.
#include "kernels/row_sort.hpp"

#include "kernels/rows/row_kinds.hpp"
#include "kernels/rows/row_launch.cuh"

namespace sortie::kernels {

void sort_rows(const RowSort& sort, cudaStream_t stream) {
  if (sort.row_count == 0 || sort.row_items == 0) return;
  const unsigned key_bytes = sort.order.number.bytes;
  if (sort.place_bytes == 0) return key_bytes == 8 ? sort_wide_rows(sort, stream) : sort_narrow_rows(sort, stream);
  if (key_bytes == 8) return sort_cut_rows(sort, stream);
  key_bytes == 4 ? sort_wide_rows(sort, stream) : sort_narrow_rows(sort, stream);
}

void sort_narrow_rows(const RowSort& sort, cudaStream_t stream) {
  using Items = RowNumbers<std::uint32_t>;
  sort_rows_as(sort, Items{sort.place_bytes == 0 ? 0 : Items::kPlaceBits}, stream);
}

}  // namespace sortie::kernels
