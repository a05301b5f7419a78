#include "engine/gpu/staging/pinned_copy.hpp"

#include <algorithm>
#include <cstdint>

#include "base/memory_pin.hpp"
#include "device/copy.hpp"

namespace sortie::gpu {
namespace {

/// Calls copy(offset, bytes) for the shares of `memory` that lie in one part each.
template <class Copy>
void copy_by_strides(std::span<const std::byte> memory, Copy copy) {
  const std::size_t phase = reinterpret_cast<std::uintptr_t>(memory.data()) % kPinStrideBytes;
  for (std::size_t begin = 0; begin < memory.size();) {
    const std::size_t end =
        std::min(memory.size(), (phase + begin) / kPinStrideBytes * kPinStrideBytes + kPinStrideBytes - phase);
    copy(begin, end - begin);
    begin = end;
  }
}

}  // namespace

void copy_to_pinned(std::span<std::byte> target, const std::byte* source, const CudaStream& stream) {
  copy_by_strides(target, [&](std::size_t offset, std::size_t bytes) {
    copy_to_host(target.data() + offset, source + offset, bytes, stream);
  });
}

void copy_from_pinned(std::byte* target, std::span<const std::byte> source, const CudaStream& stream) {
  copy_by_strides(source, [&](std::size_t offset, std::size_t bytes) {
    copy_to_device(target + offset, source.data() + offset, bytes, stream);
  });
}

}  // namespace sortie::gpu
