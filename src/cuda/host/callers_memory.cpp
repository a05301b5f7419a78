#include "cuda/host/callers_memory.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "cuda/device_call.hpp"

namespace sortie::cuda {
namespace {

/// To pin less takes longer than to copy it by way of CUDA's own buffers.
constexpr std::uint64_t kLeastPinnedBytes = 1 << 20;

}  // namespace

CallersMemory::CallersMemory(const void* data, std::uint64_t bytes)
    : memory_(static_cast<std::byte*>(const_cast<void*>(data)), bytes) {
  if (bytes < kLeastPinnedBytes || is_pinned(memory_)) return;
  // Whole pages alone: one at either end may be another array's, too, whose copies would cross the end of this pin.
  const std::uint64_t begin = (kPageBytes - reinterpret_cast<std::uintptr_t>(data) % kPageBytes) % kPageBytes;
  const std::uint64_t end = begin + (bytes - begin) / kPageBytes * kPageBytes;
  pin_ = RegisteredMemory::make(memory_.subspan(begin, end - begin));
  if (!pin_) return;
  pinned_begin_ = begin;
  pinned_end_ = end;
}

/// Copies may not cross the ends of a pin.
template <class Copy>
void CallersMemory::for_each_stretch(std::uint64_t begin, std::uint64_t bytes, const Copy& copy) const {
  const std::uint64_t end = begin + bytes;
  std::uint64_t at = begin;
  for (const std::uint64_t cut : {pinned_begin_, pinned_end_, end}) {
    const std::uint64_t stretch_end = std::clamp(cut, at, end);
    if (stretch_end > at) copy(at, at - begin, stretch_end - at);
    at = stretch_end;
  }
}

void CallersMemory::upload(std::uint64_t begin, std::uint64_t bytes, void* target, cudaStream_t stream) const {
  for_each_stretch(begin, bytes, [&](std::uint64_t at, std::uint64_t done, std::uint64_t stretch_bytes) {
    copy_async(static_cast<std::byte*>(target) + done, memory_.data() + at, stretch_bytes, stream);
  });
}

void CallersMemory::download(const void* source, std::uint64_t begin, std::uint64_t bytes, cudaStream_t stream) const {
  for_each_stretch(begin, bytes, [&](std::uint64_t at, std::uint64_t done, std::uint64_t stretch_bytes) {
    copy_async(memory_.data() + at, static_cast<const std::byte*>(source) + done, stretch_bytes, stream);
  });
}

}  // namespace sortie::cuda
