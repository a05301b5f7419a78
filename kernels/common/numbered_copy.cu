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
    copy_numbered_kernel(const Bits* keys, std::uint64_t count, Bits* copied, Position* positions) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kNumberTile + threadIdx.x;
  Bits loaded[kNumberItems];
#pragma unroll
  for (unsigned k = 0; k < kNumberItems; ++k) {
    const std::uint64_t i = first + k * kNumberThreads;
    if (i < count) loaded[k] = keys[i];
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
void copy_bits(const void* keys, std::uint64_t count, void* copied, Position* positions, cudaStream_t stream) {
  copy_numbered_kernel<<<grid_of_tiles(divide_up(count, kNumberTile)), kNumberThreads, 0, stream>>>(
      static_cast<const Bits*>(keys), count, static_cast<Bits*>(copied), positions);
  check_launch("kernel that numbers keys");
}

}  // namespace

template <SortValue Position>
void copy_numbered(const void* keys, std::size_t key_bytes, std::uint64_t count, void* copied, Position* positions,
                   cudaStream_t stream) {
  if (count == 0) return;
  if (reinterpret_cast<std::uintptr_t>(keys) % key_bytes != 0) {
    check_cuda(cudaMemcpyAsync(copied, keys, count * key_bytes, cudaMemcpyDeviceToDevice, stream), "copy of keys");
    return fill_positions(positions, count, stream);
  }
  switch (key_bytes) {
    case 1:
      return copy_bits<std::uint8_t>(keys, count, copied, positions, stream);
    case 2:
      return copy_bits<std::uint16_t>(keys, count, copied, positions, stream);
    case 4:
      return copy_bits<std::uint32_t>(keys, count, copied, positions, stream);
    default:
      return copy_bits<std::uint64_t>(keys, count, copied, positions, stream);
  }
}

template void copy_numbered(const void*, std::size_t, std::uint64_t, void*, std::uint32_t*, cudaStream_t);
template void copy_numbered(const void*, std::size_t, std::uint64_t, void*, std::uint64_t*, cudaStream_t);

}  // namespace sortie::kernels
