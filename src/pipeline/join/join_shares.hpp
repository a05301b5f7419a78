// How a join divides memory and threads among the sorts of its two inputs and itself: numbers in, numbers out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <sortie/options.hpp>

namespace sortie {

struct JoinShares {
  std::uint64_t left_memory_bytes = 0;
  std::uint64_t right_memory_bytes = 0;
  unsigned left_threads = 1;
  unsigned right_threads = 1;
  std::size_t hand_over_bytes = 0;  ///< sorted records that wait for the join, of each input
  std::size_t group_bytes = 0;      ///< right records with equal keys
};

/// As the sizes of the inputs are, or by halves if one is not known. No input gets less than 1/8, nor less memory than
/// a sort needs.
inline JoinShares share_for_join(std::uint64_t memory_bytes, unsigned threads, std::optional<std::uint64_t> left_bytes,
                                 std::optional<std::uint64_t> right_bytes) {
  constexpr std::uint64_t kGroupShare = 8;
  constexpr std::uint64_t kHandOverShare = 32;
  constexpr std::uint64_t kLeastHandOverBytes = 64 << 10;
  constexpr std::uint64_t kMostHandOverBytes = 4 << 20;
  const bool known = left_bytes && right_bytes && *left_bytes + *right_bytes > 0;
  const double left = known ? static_cast<double>(*left_bytes) / static_cast<double>(*left_bytes + *right_bytes) : 0.5;
  const double share = std::clamp(left, 0.125, 0.875);
  JoinShares shares;
  shares.group_bytes = static_cast<std::size_t>(memory_bytes / kGroupShare);
  shares.hand_over_bytes =
      static_cast<std::size_t>(std::clamp(memory_bytes / kHandOverShare, kLeastHandOverBytes, kMostHandOverBytes));
  const std::uint64_t own_bytes = shares.group_bytes + 2 * shares.hand_over_bytes;
  const auto rest = static_cast<double>(memory_bytes - std::min(memory_bytes, own_bytes));
  shares.left_memory_bytes = std::max(kMinMemoryBytes, static_cast<std::uint64_t>(share * rest));
  shares.right_memory_bytes = std::max(kMinMemoryBytes, static_cast<std::uint64_t>((1 - share) * rest));
  if (threads > 1) {
    const auto half_threads = static_cast<unsigned>(2 * share * threads);
    shares.left_threads = std::clamp((half_threads + 1) / 2, 1U, threads - 1);
    shares.right_threads = threads - shares.left_threads;
  }
  return shares;
}

}  // namespace sortie
