// The bytes that a radix sort of 8-bit digits moves. The radix rows, ours and CUB's, are measured against them.
#pragma once

#include <cstdint>

namespace sortie::bench {

/// Counts one read of the keys for the histograms, then a read and a write of the items per digit.
template <class Key>
constexpr std::uint64_t radix_traffic_bytes(std::uint64_t count, std::uint64_t value_bytes) {
  return count * (sizeof(Key) + sizeof(Key) * 2 * (sizeof(Key) + value_bytes));
}

}  // namespace sortie::bench
