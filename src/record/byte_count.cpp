#include "record/byte_count.hpp"

#include <algorithm>
#include <cstdint>

namespace sortie {

// std::count() adds up in 64-bit lanes; bytes in byte lanes go eight times as far in a vector. A lane
// holds 255 at most, so it is emptied that often.
std::uint64_t count_bytes(std::span<const std::byte> bytes, char wanted) {
  constexpr std::size_t kLanes = 32;
  constexpr std::size_t kRounds = 255;
  std::uint64_t count = 0;
  while (bytes.size() >= kLanes) {
    const std::size_t rounds = std::min(bytes.size() / kLanes, kRounds);
    std::uint8_t lanes[kLanes] = {};
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::byte* source = bytes.data() + round * kLanes;
      for (std::size_t i = 0; i < kLanes; ++i)
        lanes[i] = static_cast<std::uint8_t>(lanes[i] + (source[i] == std::byte(wanted) ? 1 : 0));
    }
    for (const std::uint8_t lane : lanes) count += lane;
    bytes = bytes.subspan(rounds * kLanes);
  }
  return count + static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), std::byte(wanted)));
}

}  // namespace sortie
