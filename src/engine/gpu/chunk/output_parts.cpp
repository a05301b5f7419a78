#include "engine/gpu/chunk/output_parts.hpp"

#include <algorithm>

#include "base/size.hpp"

namespace sortie::gpu {

std::vector<OutputPart> fixed_parts(std::uint64_t byte_count, std::uint64_t record_bytes, std::uint64_t part_bytes) {
  const std::uint64_t step = round_down(part_bytes, record_bytes);
  std::vector<OutputPart> parts;
  for (std::uint64_t begin = 0; begin < byte_count; begin += step) {
    parts.push_back({begin, std::min(begin + step, byte_count)});
  }
  return parts;
}

std::vector<OutputPart> line_parts(std::span<const kernels::LineCut> cuts, std::uint64_t part_bytes) {
  std::vector<OutputPart> parts;
  std::uint64_t begin = 0;
  for (const kernels::LineCut& cut : cuts) {
    // All lines but the last begin within one stride; only the last can make the part too long.
    if (cut.byte - begin > part_bytes && cut.previous_byte > begin) {
      parts.push_back({begin, cut.previous_byte});
      begin = cut.previous_byte;
    }
    if (cut.byte > begin) parts.push_back({begin, cut.byte});
    begin = cut.byte;
  }
  return parts;
}

}  // namespace sortie::gpu
