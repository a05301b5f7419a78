// Lines made on the device: of random letters, their lengths drawn from a range.
#pragma once

#include <cstdint>
#include <string_view>

#include "bench/kernels/key_fill.hpp"

namespace sortie::bench {

/// Lengths with the delimiter, each as likely as the others.
struct LineShape {
  std::string_view name;
  std::uint32_t shortest_bytes;
  std::uint32_t longest_bytes;
};

/// Text with lines of any length; and lines as logs have them, around 120 bytes.
inline constexpr LineShape kLineShapes[] = {{"lines 20-200 B", 20, 200}, {"lines 90-150 B", 90, 150}};

struct LineData {
  std::uint64_t count;
  std::uint64_t byte_count;
  Array<std::uint64_t> offsets;  ///< count + 1
  Array<std::byte> bytes;
};

/// Synchronises. Throws Error.
LineData make_lines(const LineShape& shape, std::uint64_t count, cudaStream_t stream);

}  // namespace sortie::bench
