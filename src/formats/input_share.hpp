// The part of the inputs that one of several processes reads: what begins in some bytes of all of them, one behind the
// other. Which inputs it takes, and what of each, is found here for the readers of all formats.
//
//   inputs    | a.bam          | b.bam | c.bam               |
//   share             |─────────────────────|
//             a from its middle on, b, c up to its middle
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "io/files/file.hpp"

namespace sortie::formats {

struct InputShare {
  /// Counted in the bytes of all inputs, as their files lie on disk.
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end = std::nullopt;  ///< nothing: up to the last byte
  /// Records of each input, if keys are made of their numbers; else empty.
  std::vector<std::uint64_t> record_counts = {};
};

/// What of one input is read: what begins in these bytes of its file.
struct InputStretch {
  std::size_t input = 0;  ///< index
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t records_before = 0;  ///< in all inputs in front of this one, if counts are told

  bool is_whole() const { return begin == 0 && end == std::numeric_limits<std::uint64_t>::max(); }
};

/// Those of a share, in the order of the inputs; all of all inputs without one. `are_divided`: false for a format whose
/// files are whole: each belongs to the share that its first byte lies in. Throws Error for an input without a size.
std::vector<InputStretch> stretches_of(FileSystem& files, const std::vector<std::string>& paths,
                                       const std::optional<InputShare>& share, bool are_divided);

}  // namespace sortie::formats
