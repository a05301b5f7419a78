// Cuts sorted output into the parts that a run passes on: whole records, at most part_bytes each, except
// that a longer line is a part alone. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/line_cuts.hpp"

namespace sortie::gpu {

/// Bytes [begin, end) of the output.
struct OutputPart {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t bytes() const { return end - begin; }
  friend bool operator==(const OutputPart&, const OutputPart&) = default;
};

/// Parts of fixed records. Precondition: record_bytes <= part_bytes, byte_count a multiple of record_bytes.
std::vector<OutputPart> fixed_parts(std::uint64_t byte_count, std::uint64_t record_bytes, std::uint64_t part_bytes);

/// Parts of lines, from the cuts at multiples of cut_stride_bytes(part_bytes), the output's end included.
std::vector<OutputPart> line_parts(std::span<const kernels::LineCut> cuts, std::uint64_t part_bytes);

}  // namespace sortie::gpu
