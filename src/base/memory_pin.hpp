// Memory that is pinned for a device. Engines hand out the pins (Engine::pin); the owners of the memory hold them: run
// storage and the windows of a merge, which know nothing of devices.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace sortie {

/// A device copies within one pin only. Memory that is pinned in parts, so that it can be given back in parts, is cut
/// at addresses that are multiples of this; every copy ends there, too. 16 MiB are pinned at 33 GB/s, 64 at 53, 256 at
/// 60 (H200 machine).
inline constexpr std::size_t kPinStrideBytes = std::size_t{64} << 20;

/// Destroying it unpins the memory, which must still exist.
class MemoryPin {
 public:
  virtual ~MemoryPin() = default;
};

/// Pins memory. Returns null if that is impossible: the memory still works, only slower. Thread-safe.
using MemoryPinner = std::function<std::unique_ptr<MemoryPin>(std::span<std::byte> memory)>;

}  // namespace sortie
