#include "kernels/columns.hpp"
#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kComposeThreads = 256;

template <class Number, class Position>
__global__ void __launch_bounds__(kComposeThreads)
    compose_columns_kernel(const __grid_constant__ ColumnGroup group, const Position* rows, std::uint64_t count,
                           Number* numbers) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kComposeThreads + threadIdx.x;
  if (i < count) numbers[i] = static_cast<Number>(group.number(rows == nullptr ? i : std::uint64_t{rows[i]}));
}

}  // namespace

template <class Number, SortValue Position>
void compose_columns(const ColumnGroup& group, const Position* rows, std::uint64_t count, Number* numbers,
                     cudaStream_t stream) {
  if (count == 0) return;
  const unsigned grid = grid_of_tiles(divide_up(count, kComposeThreads));
  compose_columns_kernel<<<grid, kComposeThreads, 0, stream>>>(group, rows, count, numbers);
  check_launch("kernel that composes columns");
}

#define SORTIE_COMPOSE_COLUMNS_TO(Number)                                                                        \
  template void compose_columns(const ColumnGroup&, const std::uint32_t*, std::uint64_t, Number*, cudaStream_t); \
  template void compose_columns(const ColumnGroup&, const std::uint64_t*, std::uint64_t, Number*, cudaStream_t);

SORTIE_COMPOSE_COLUMNS_TO(std::uint32_t)
SORTIE_COMPOSE_COLUMNS_TO(std::uint64_t)

#undef SORTIE_COMPOSE_COLUMNS_TO

}  // namespace sortie::kernels
