#include "kernels/positions.hpp"

#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kPositionThreads = 256;

template <class Position>
__global__ void __launch_bounds__(kPositionThreads) fill_positions_kernel(Position* positions, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kPositionThreads + threadIdx.x;
  if (i < count) positions[i] = static_cast<Position>(i);
}

__global__ void write_two_offsets_kernel(std::uint64_t first_count, std::uint64_t count, std::uint64_t* offsets) {
  offsets[0] = 0;
  offsets[1] = first_count;
  offsets[2] = count;
}

}  // namespace

template <SortValue Position>
void fill_positions(Position* positions, std::uint64_t count, cudaStream_t stream) {
  if (count == 0) return;
  const unsigned grid = grid_of_tiles(divide_up(count, kPositionThreads));
  fill_positions_kernel<<<grid, kPositionThreads, 0, stream>>>(positions, count);
  check_launch("position kernel");
}

template void fill_positions(std::uint32_t*, std::uint64_t, cudaStream_t);
template void fill_positions(std::uint64_t*, std::uint64_t, cudaStream_t);

void write_two_offsets(std::uint64_t first_count, std::uint64_t count, std::uint64_t* offsets, cudaStream_t stream) {
  write_two_offsets_kernel<<<1, 1, 0, stream>>>(first_count, count, offsets);
  check_launch("kernel that writes the offsets of two lists");
}

}  // namespace sortie::kernels
