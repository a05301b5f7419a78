// Sums over the lanes of a warp, all of which call these functions.
#pragma once

namespace sortie::kernels {

/// The sum of the values of the warp's lanes up to and including this one.
template <class Sum>
__device__ Sum warp_inclusive_sum(Sum value) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const Sum below = __shfl_up_sync(~0u, value, step);
    if (threadIdx.x % 32 >= step) value += below;
  }
  return value;
}

/// The sum of the values of all lanes, in all lanes.
template <class Sum>
__device__ Sum warp_sum(Sum value) {
  return __shfl_sync(~0u, warp_inclusive_sum(value), 31);
}

__device__ inline unsigned warp_max(unsigned value) {
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) value = max(value, __shfl_xor_sync(~0u, value, step));
  return value;
}

}  // namespace sortie::kernels
