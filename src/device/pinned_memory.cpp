#include "device/pinned_memory.hpp"

#include <cuda_runtime_api.h>

namespace sortie {
namespace {

bool is_pinned_byte(const std::byte* byte) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, byte) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  return attributes.type == cudaMemoryTypeHost;
}

}  // namespace

bool is_pinned(std::span<const std::byte> memory) {
  return !memory.empty() && is_pinned_byte(&memory.front()) && is_pinned_byte(&memory.back());
}

}  // namespace sortie
