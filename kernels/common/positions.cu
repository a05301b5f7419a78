#include "kernels/positions.hpp"

#include <algorithm>
#include <cstddef>

#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kPositionThreads = 256;

template <class Position>
__global__ void __launch_bounds__(kPositionThreads)
    fill_positions_kernel(Position* positions, std::uint64_t count, Position first) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kPositionThreads + threadIdx.x;
  if (i < count) positions[i] = static_cast<Position>(first + i);
}

__global__ void __launch_bounds__(kPositionThreads)
    widen_numbers_kernel(const std::uint32_t* narrow, std::uint64_t count, std::uint64_t* wide) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kPositionThreads + threadIdx.x;
  if (i < count) wide[i] = narrow[i];
}

__global__ void __launch_bounds__(kPositionThreads)
    fill_offsets_kernel(std::uint64_t* offsets, std::uint64_t count, std::uint64_t distance) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kPositionThreads + threadIdx.x;
  if (i < count) offsets[i] = i * distance;
}

template <class Place>
__global__ void __launch_bounds__(kPositionThreads)
    fill_places_kernel(Place* places, std::uint64_t count, std::uint64_t row_items) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kPositionThreads + threadIdx.x;
  if (i < count) places[i] = static_cast<Place>(i % row_items);
}

/// Offsets as an argument of a launch.
struct OffsetBatch {
  static constexpr unsigned kMost = 256;
  std::uint64_t values[kMost];
};

__global__ void __launch_bounds__(OffsetBatch::kMost)
    write_offsets_kernel(const __grid_constant__ OffsetBatch batch, unsigned count, std::uint64_t* offsets) {
  if (threadIdx.x < count) offsets[threadIdx.x] = batch.values[threadIdx.x];
}

}  // namespace

template <SortValue Position>
void fill_positions(Position* positions, std::uint64_t count, cudaStream_t stream, Position first) {
  if (count == 0) return;
  const unsigned grid = grid_of_tiles(divide_up(count, kPositionThreads));
  fill_positions_kernel<<<grid, kPositionThreads, 0, stream>>>(positions, count, first);
  check_launch("position kernel");
}

template void fill_positions(std::uint32_t*, std::uint64_t, cudaStream_t, std::uint32_t);
template void fill_positions(std::uint64_t*, std::uint64_t, cudaStream_t, std::uint64_t);

void widen_numbers(const std::uint32_t* narrow, std::uint64_t count, std::uint64_t* wide, cudaStream_t stream) {
  if (count == 0) return;
  const unsigned grid = grid_of_tiles(divide_up(count, kPositionThreads));
  widen_numbers_kernel<<<grid, kPositionThreads, 0, stream>>>(narrow, count, wide);
  check_launch("kernel that widens numbers");
}

void write_offsets(std::span<const std::uint64_t> values, std::uint64_t* offsets, cudaStream_t stream) {
  while (!values.empty()) {
    const auto part = values.first(std::min<std::size_t>(values.size(), OffsetBatch::kMost));
    OffsetBatch batch{};
    std::copy(part.begin(), part.end(), batch.values);
    write_offsets_kernel<<<1, OffsetBatch::kMost, 0, stream>>>(batch, static_cast<unsigned>(part.size()), offsets);
    check_launch("kernel that writes offsets");
    values = values.subspan(part.size());
    offsets += part.size();
  }
}

void fill_row_offsets(std::uint64_t row_count, std::uint64_t row_items, std::uint64_t* offsets, cudaStream_t stream) {
  const unsigned offset_grid = grid_of_tiles(divide_up(row_count + 1, kPositionThreads));
  fill_offsets_kernel<<<offset_grid, kPositionThreads, 0, stream>>>(offsets, row_count + 1, row_items);
  check_launch("kernel of the offsets of rows");
}

template <SortValue Place>
void fill_places(Place* places, std::uint64_t row_count, std::uint64_t row_items, cudaStream_t stream) {
  const std::uint64_t count = row_count * row_items;
  if (count == 0) return;
  fill_places_kernel<<<grid_of_tiles(divide_up(count, kPositionThreads)), kPositionThreads, 0, stream>>>(places, count,
                                                                                                         row_items);
  check_launch("kernel of places in rows");
}

template void fill_places(std::uint32_t*, std::uint64_t, std::uint64_t, cudaStream_t);
template void fill_places(std::uint64_t*, std::uint64_t, std::uint64_t, cudaStream_t);

}  // namespace sortie::kernels
