// Finds where the gathered output of lines can be cut into parts of whole lines. The search runs on the device, so
// that the host need not read the offset of every line.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace sortie::kernels {

/// The first line that begins at or after a position of the output, or the output's end.
struct LineCut {
  std::uint64_t byte = 0;           ///< where the line begins
  std::uint64_t previous_byte = 0;  ///< where the line before it begins; 0 if there is none
};

/// Sets cuts[k], k < cut_count, to the cut for position min(k * stride_bytes, size of the output). `out_offsets` has
/// count + 1 entries, as gather_offsets() writes them. O(log count) per cut. Takes device pointers.
/// Does not synchronise or allocate. Throws sortie::Error if the launch is refused.
void find_line_cuts(const std::uint64_t* out_offsets, std::uint64_t count, std::uint64_t stride_bytes,
                    std::uint64_t cut_count, LineCut* cuts, cudaStream_t stream);

}  // namespace sortie::kernels
