// Skips a test, with the reason, on a GPU that has too little memory free.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "device/cuda_error.hpp"

namespace sortie::kernels {

inline bool has_free_bytes(std::uint64_t bytes) {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
  return free_bytes > bytes;
}

}  // namespace sortie::kernels

#define SORTIE_REQUIRE_FREE_BYTES(bytes) \
  if (!sortie::kernels::has_free_bytes(bytes)) GTEST_SKIP() << "the GPU has less than " << (bytes) << " bytes free"
