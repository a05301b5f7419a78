// Memory held ready for a device. Given out by engines (Engine::pin), held by whatever owns the memory: run
// storage and the windows of a merge, which know nothing of devices.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace sortie {

/// A device copies within one pin only: who pins a stretch of memory by parts, so as to give it back by parts, cuts it
/// at addresses that are multiples of this, and who copies ends a copy there. 16 MiB are pinned at 33 GB/s, 64 at 53,
/// 256 at 60 (H200 machine).
inline constexpr std::size_t kPinStrideBytes = std::size_t{64} << 20;

/// Destroying it ends what was done to the memory, which must still be there.
class MemoryPin {
 public:
  virtual ~MemoryPin() = default;
};

/// Pins memory. Nothing where that cannot be done: the memory serves as well, only slower. Thread-safe.
using MemoryPinner = std::function<std::unique_ptr<MemoryPin>(std::span<std::byte> memory)>;

}  // namespace sortie
