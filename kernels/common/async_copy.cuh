// Copies from global to shared memory that a thread starts without waiting, and that take no registers while under way
// (cp.async, from compute capability 8.0 on; plain loads and stores before). Called by the kernels that stage tiles:
// merge, gather and checksum.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace sortie::kernels {

/// kBytes is 4, 8 or 16; both addresses are aligned to it.
template <unsigned kBytes>
__device__ inline void copy_async(void* shared, const void* global) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16);
#if __CUDA_ARCH__ >= 800
  const auto target = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(global) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(target), "l"(global), "n"(kBytes) : "memory");
  }
#else
  if constexpr (kBytes == 16) {
    *static_cast<uint4*>(shared) = *static_cast<const uint4*>(global);
  } else if constexpr (kBytes == 8) {
    *static_cast<std::uint64_t*>(shared) = *static_cast<const std::uint64_t*>(global);
  } else {
    *static_cast<std::uint32_t*>(shared) = *static_cast<const std::uint32_t*>(global);
  }
#endif
}

/// Waits for the copies that this thread has started. Other threads see their data after the next barrier.
__device__ inline void await_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace sortie::kernels
