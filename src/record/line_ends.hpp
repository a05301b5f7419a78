// Finds where lines end, many at a time, and counts bytes: a search for each line alone mispredicts at its end, which
// costs short lines more than all the rest. Used by for_each_record().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sortie {

/// The least room for ends with which find_line_ends() makes progress.
inline constexpr std::size_t kLeastLineEnds = 64;

struct LineEnds {
  std::size_t count = 0;    ///< ends found
  std::size_t scanned = 0;  ///< bytes looked at: continue behind them
};

/// Fills `ends` with the offset behind each delimiter of `bytes`, in order, until either is used up. Looks at 4 GiB at
/// most. Precondition: ends.size() >= kLeastLineEnds.
LineEnds find_line_ends(std::span<const std::byte> bytes, char delimiter, std::span<std::uint32_t> ends);

/// Counts how often a byte occurs, at the speed of memory: delimiters of lines, quotes of CSV.
std::uint64_t count_bytes(std::span<const std::byte> bytes, char wanted);

}  // namespace sortie
