#include "base/first_index.hpp"
#include "base/size.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/float_values.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kNanThreads = 256;
constexpr unsigned kNanItems = 16;
/// So many keys are moved by one block.
constexpr unsigned kFewKeys = kNanThreads * kNanItems;

/// Sorted keys whose negative NaNs lie at one end: in ascending order at the beginning.
template <class Bits>
struct KeysWithNans {
  FloatValues<Bits> values;
  const Bits* keys;
  std::uint64_t count;
  SortOrder order;

  __device__ bool has_nans() const {
    return values.is_negative_nan(keys[order == SortOrder::kAscending ? 0 : count - 1]);
  }

  /// How many keys lie before the border between negative NaNs and others.
  __device__ std::uint64_t border() const {
    const bool are_first = order == SortOrder::kAscending;
    return first_index(std::uint64_t{0}, count,
                       [&](std::uint64_t i) { return values.is_negative_nan(keys[i]) != are_first; });
  }
};

/// Where a key goes whose place was `i`.
__device__ inline std::uint64_t rotated_place(std::uint64_t i, std::uint64_t border, std::uint64_t count) {
  return i < border ? i + count - border : i - border;
}

template <class Bits>
__global__ void __launch_bounds__(kNanThreads) rotate_few_keys_kernel(KeysWithNans<Bits> sorted, Bits* keys) {
  if (!sorted.has_nans()) return;
  const std::uint64_t border = sorted.border();
  Bits bits[kNanItems];
#pragma unroll
  for (unsigned k = 0; k < kNanItems; ++k) {
    const unsigned i = k * kNanThreads + threadIdx.x;
    if (i < sorted.count) bits[k] = sorted.keys[i];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kNanItems; ++k) {
    const unsigned i = k * kNanThreads + threadIdx.x;
    if (i < sorted.count) keys[rotated_place(i, border, sorted.count)] = bits[k];
  }
}

template <class Bits>
__global__ void __launch_bounds__(kNanThreads)
    rotate_keys_kernel(KeysWithNans<Bits> sorted, Bits* rotated, std::uint32_t* is_rotated) {
  const bool has_nans = sorted.has_nans();
  if (blockIdx.x == 0 && threadIdx.x == 0) *is_rotated = has_nans ? 1 : 0;
  if (!has_nans) return;
  __shared__ std::uint64_t border;
  if (threadIdx.x == 0) border = sorted.border();
  __syncthreads();
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kNanThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kNanThreads + threadIdx.x; i < sorted.count; i += stride) {
    rotated[rotated_place(i, border, sorted.count)] = sorted.keys[i];
  }
}

template <class Bits>
__global__ void __launch_bounds__(kNanThreads)
    copy_rotated_keys_kernel(const Bits* rotated, std::uint64_t count, const std::uint32_t* is_rotated, Bits* keys) {
  if (*is_rotated == 0) return;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kNanThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kNanThreads + threadIdx.x; i < count; i += stride) {
    keys[i] = rotated[i];
  }
}

template <class Bits>
void rotate_keys(const KeysWithNans<Bits>& sorted, Bits* keys, Bits* alternate_keys, std::uint32_t* is_rotated,
                 cudaStream_t stream) {
  constexpr unsigned kRotatingBlocks = 8;  // per multiprocessor: most often they have nothing to do
  if (sorted.count <= kFewKeys) {
    rotate_few_keys_kernel<<<1, kNanThreads, 0, stream>>>(sorted, keys);
    return check_launch("kernel that moves few NaNs");
  }
  const unsigned grid = persistent_grid(divide_up(sorted.count, kFewKeys), kRotatingBlocks);
  rotate_keys_kernel<<<grid, kNanThreads, 0, stream>>>(sorted, alternate_keys, is_rotated);
  check_launch("kernel that moves NaNs");
  copy_rotated_keys_kernel<<<grid, kNanThreads, 0, stream>>>(alternate_keys, sorted.count, is_rotated, keys);
  check_launch("kernel that copies moved NaNs");
}

}  // namespace

void move_negative_nans(const FloatFormat& format, void* keys, void* alternate_keys, std::uint64_t count,
                        SortOrder order, std::uint32_t* is_moved, cudaStream_t stream) {
  if (count == 0) return;
  with_float_bits(format, [&]<class Bits>(Bits) {
    auto* const bits = static_cast<Bits*>(keys);
    rotate_keys(KeysWithNans<Bits>{values_of<Bits>(format), bits, count, order}, bits,
                static_cast<Bits*>(alternate_keys), is_moved, stream);
  });
}

}  // namespace sortie::kernels
