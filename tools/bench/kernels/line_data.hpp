// Makes lines on the device: random letters, with lengths drawn from a range.
#pragma once

#include <cstdint>
#include <string_view>

#include "bench/kernels/key_fill.hpp"

namespace sortie::bench {

/// Lengths include the delimiter. All lengths in the range are equally likely.
struct LineShape {
  std::string_view name;
  std::uint32_t shortest_bytes;
  std::uint32_t longest_bytes;
};

/// Text with lines of widely varying length, and log lines of around 120 bytes.
inline constexpr LineShape kLineShapes[] = {{"lines 20-200 B", 20, 200}, {"lines 90-150 B", 90, 150}};

struct LineData {
  std::uint64_t count;
  std::uint64_t byte_count;
  Array<std::uint64_t> offsets;  ///< count + 1 offsets
  Array<std::byte> bytes;
};

/// Makes `count` lines. Synchronises. Throws Error.
LineData make_lines(const LineShape& shape, std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::bench
