// The rank of a line among those whose collated keys begin alike: behind each such key, in bytes that order as it does.
// The line decorator leaves it open; whoever asks strcoll() fills it in, and then lines order by their bytes again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sortie {

/// Seven bits a byte, with the high bit set: no delimiter occurs among them.
inline constexpr std::size_t kRankBytes = 5;
inline constexpr std::uint64_t kMostRanks = (std::uint64_t{1} << 7 * kRankBytes) - 1;
/// The rank is open: nobody has asked strcoll() yet.
inline constexpr std::uint64_t kNoRank = 0;

inline void store_rank(std::uint64_t rank, std::byte* out) {
  for (std::size_t i = kRankBytes; i-- > 0; rank >>= 7) out[i] = static_cast<std::byte>(rank & 0x7F) | std::byte{0x80};
}

inline std::uint64_t load_rank(const std::byte* stored) {
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < kRankBytes; ++i)
    rank = rank << 7 | std::to_integer<std::uint64_t>(stored[i] & std::byte{0x7F});
  return rank;
}

}  // namespace sortie
