#include "kernels/common/launch.hpp"
#include "kernels/float_values.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kCopyThreads = 256;
constexpr unsigned kCopyItems = 4;  ///< per thread: so many loads are under way at once
constexpr std::uint64_t kCopyTile = kCopyThreads * kCopyItems;

/// A key may lie anywhere, at an address that is no multiple of its size.
template <class Bits>
__device__ Bits key_anywhere(const void* keys, std::uint64_t i, bool is_aligned) {
  if (is_aligned) return static_cast<const Bits*>(keys)[i];
  const auto* const bytes = static_cast<const unsigned char*>(keys) + i * sizeof(Bits);
  Bits bits = 0;
  for (unsigned k = 0; k < sizeof(Bits); ++k) bits |= static_cast<Bits>(Bits{bytes[k]} << (8 * k));
  return bits;
}

template <class Bits>
bool is_aligned(const void* keys) {
  return reinterpret_cast<std::uintptr_t>(keys) % sizeof(Bits) == 0;
}

template <class Bits, class Position>
__global__ void __launch_bounds__(kCopyThreads)
    copy_float_values_kernel(FloatValues<Bits> values, const void* keys, bool is_aligned, std::uint64_t count,
                             Bits* copied, Position* positions) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kCopyTile + threadIdx.x;
  Bits bits[kCopyItems];
#pragma unroll
  for (unsigned k = 0; k < kCopyItems; ++k) {
    const std::uint64_t i = first + k * kCopyThreads;
    if (i < count) bits[k] = key_anywhere<Bits>(keys, i, is_aligned);
  }
#pragma unroll
  for (unsigned k = 0; k < kCopyItems; ++k) {
    const std::uint64_t i = first + k * kCopyThreads;
    if (i >= count) break;
    copied[i] = values.canonical(bits[k]);
    positions[i] = static_cast<Position>(i);
  }
}

template <class Bits, class Position>
__global__ void __launch_bounds__(kCopyThreads)
    gather_float_bits_kernel(FloatValues<Bits> values, const void* keys, bool is_aligned, const Position* positions,
                             std::uint64_t count, Bits* copied) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kCopyTile + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < kCopyItems; ++k) {
    const std::uint64_t i = first + k * kCopyThreads;
    if (i >= count) break;
    const Bits bits = copied[i];
    if (values.is_nan(bits) || values.is_zero(bits)) copied[i] = key_anywhere<Bits>(keys, positions[i], is_aligned);
  }
}
}  // namespace

template <SortValue Position>
void copy_float_values(const FloatFormat& format, const void* keys, std::uint64_t count, void* copied,
                       Position* positions, cudaStream_t stream) {
  if (count == 0) return;
  with_float_bits(format, [&]<class Bits>(Bits) {
    copy_float_values_kernel<<<grid_of_tiles(divide_up(count, kCopyTile)), kCopyThreads, 0, stream>>>(
        values_of<Bits>(format), keys, is_aligned<Bits>(keys), count, static_cast<Bits*>(copied), positions);
  });
  check_launch("kernel that copies the values of floats");
}

template <SortValue Position>
void gather_float_bits(const FloatFormat& format, const void* keys, const Position* positions, std::uint64_t count,
                       void* copied, cudaStream_t stream) {
  if (count == 0) return;
  with_float_bits(format, [&]<class Bits>(Bits) {
    gather_float_bits_kernel<<<grid_of_tiles(divide_up(count, kCopyTile)), kCopyThreads, 0, stream>>>(
        values_of<Bits>(format), keys, is_aligned<Bits>(keys), positions, count, static_cast<Bits*>(copied));
  });
  check_launch("kernel that gathers the bits of floats");
}

#define SORTIE_FLOAT_VALUES_WITH(Position)                                                                         \
  template void copy_float_values(const FloatFormat&, const void*, std::uint64_t, void*, Position*, cudaStream_t); \
  template void gather_float_bits(const FloatFormat&, const void*, const Position*, std::uint64_t, void*, cudaStream_t);

SORTIE_FLOAT_VALUES_WITH(std::uint32_t)
SORTIE_FLOAT_VALUES_WITH(std::uint64_t)

#undef SORTIE_FLOAT_VALUES_WITH

}  // namespace sortie::kernels
