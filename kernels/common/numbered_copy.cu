#include "kernels/numbered_copy.hpp"

#include "kernels/common/launch.hpp"
#include "kernels/positions.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kNumberThreads = 256;
constexpr unsigned kNumberItems = 4;  ///< per thread: so many loads are under way at once
constexpr std::uint64_t kNumberTile = kNumberThreads * kNumberItems;

template <class Bits, class Position>
__global__ void __launch_bounds__(kNumberThreads)
    copy_numbered_kernel(const Bits* items, std::uint64_t count, Bits* copied, Position* positions) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kNumberTile + threadIdx.x;
  Bits loaded[kNumberItems];
#pragma unroll
  for (unsigned k = 0; k < kNumberItems; ++k) {
    const std::uint64_t i = first + k * kNumberThreads;
    if (i < count) loaded[k] = items[i];
  }
#pragma unroll
  for (unsigned k = 0; k < kNumberItems; ++k) {
    const std::uint64_t i = first + k * kNumberThreads;
    if (i >= count) break;
    copied[i] = loaded[k];
    positions[i] = static_cast<Position>(i);
  }
}

template <class Bits, class Position>
void copy_bits(const void* items, std::uint64_t count, void* copied, Position* positions, cudaStream_t stream) {
  copy_numbered_kernel<<<grid_of_tiles(divide_up(count, kNumberTile)), kNumberThreads, 0, stream>>>(
      static_cast<const Bits*>(items), count, static_cast<Bits*>(copied), positions);
  check_launch("kernel that numbers items");
}

}  // namespace

template <SortValue Position>
void copy_numbered(const void* items, std::uint64_t item_bytes, std::uint64_t count, void* copied, Position* positions,
                   cudaStream_t stream) {
  if (count == 0) return;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(items) % item_bytes == 0;
  switch (is_aligned ? item_bytes : 0) {
    case 1:
      return copy_bits<std::uint8_t>(items, count, copied, positions, stream);
    case 2:
      return copy_bits<std::uint16_t>(items, count, copied, positions, stream);
    case 4:
      return copy_bits<std::uint32_t>(items, count, copied, positions, stream);
    case 8:
      return copy_bits<std::uint64_t>(items, count, copied, positions, stream);
    case 16:
      return copy_bits<uint4>(items, count, copied, positions, stream);
    default:
      check_cuda(cudaMemcpyAsync(copied, items, count * item_bytes, cudaMemcpyDeviceToDevice, stream), "copy of items");
      fill_positions(positions, count, stream);
  }
}

template void copy_numbered(const void*, std::uint64_t, std::uint64_t, void*, std::uint32_t*, cudaStream_t);
template void copy_numbered(const void*, std::uint64_t, std::uint64_t, void*, std::uint64_t*, cudaStream_t);

}  // namespace sortie::kernels
