// What every launch in this library needs: the size of its grid, and the check after it.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "base/size.hpp"
#include "device/cuda_error.hpp"

namespace sortie::kernels {

inline unsigned device_attribute(cudaDeviceAttr attribute) {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute");
  return static_cast<unsigned>(value);
}

/// Ten times the compute capability of the current device.
inline unsigned device_architecture() {
  return 10 * device_attribute(cudaDevAttrComputeCapabilityMajor) + device_attribute(cudaDevAttrComputeCapabilityMinor);
}

/// The multiprocessors of the current device.
inline unsigned multiprocessor_count() { return device_attribute(cudaDevAttrMultiProcessorCount); }

/// The largest amount of shared memory that a block may ask for on the current device.
inline unsigned shared_bytes_per_block() { return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin); }

/// Whether the current device runs the kernel with what GPUs have from compute capability 9.0 on: clusters of blocks,
/// and launches that overlap. Code that the driver made from PTX for older GPUs has neither, even on such a device.
template <class Kernel>
bool has_code_for_90(Kernel kernel) {
  constexpr int kFirstVersion = 90;
  if (device_attribute(cudaDevAttrClusterLaunch) == 0) return false;
  cudaFuncAttributes attributes{};
  check_cuda(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)), "cudaFuncGetAttributes");
  return attributes.ptxVersion >= kFirstVersion;
}

/// A grid with one block for each of `tile_count` tiles.
inline unsigned grid_of_tiles(std::uint64_t tile_count) { return static_cast<unsigned>(tile_count); }

/// A grid that strides over `tile_count` tiles, with no more blocks than run at once.
inline unsigned persistent_grid(std::uint64_t tile_count, unsigned blocks_per_multiprocessor) {
  const std::uint64_t resident = std::uint64_t{multiprocessor_count()} * blocks_per_multiprocessor;
  return static_cast<unsigned>(tile_count < resident ? tile_count : resident);
}

/// Throws Error if the launch just made was refused. Does not wait for the kernel.
inline void check_launch(const char* kernel) { check_cuda(cudaGetLastError(), kernel); }

/// Lets a kernel use `bytes` of dynamic shared memory: the most it ever takes, as this holds for other threads, too.
template <class Kernel>
void allow_shared_bytes(Kernel kernel, std::uint64_t bytes, const char* name) {
  check_cuda(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)),
             name);
}

}  // namespace sortie::kernels
