#include "device/arena.hpp"

#include <cassert>
#include <string>

#include "device/cuda_error.hpp"

namespace sortie {

Arena::Arena(std::uint64_t capacity_bytes)
    : memory_(capacity_bytes), begin_(memory_.data()), capacity_bytes_(capacity_bytes) {}

Arena::Arena(const Arena& whole, std::uint64_t begin, std::uint64_t capacity_bytes)
    : begin_(whole.begin_ + begin), capacity_bytes_(capacity_bytes) {
  assert(begin % kArenaAlignment == 0 && begin + capacity_bytes <= whole.capacity_bytes_);
}

std::byte* Arena::carve(std::uint64_t bytes) {
  const std::uint64_t taken = arena_bytes(bytes);
  if (taken > capacity_bytes() - used_bytes_) {
    throw DeviceMemoryError("GPU: arena of " + std::to_string(capacity_bytes()) + " bytes has no room for " +
                            std::to_string(bytes) + " more; raise the ceiling on device memory");
  }
  std::byte* data = begin_ + used_bytes_;
  used_bytes_ += taken;
  return data;
}

}  // namespace sortie
