// Which segment items belong to, for sorts of many segments at once.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace sortie::kernels {

/// Sets segments[i] to the number of the segment that holds item positions[i], i < count. Segment s is items
/// [offsets[s], offsets[s + 1]); offsets ascend, and there are segment_count + 1 of them. O(log segment_count) an item.
/// Does not synchronise or allocate. Takes device pointers. Throws sortie::Error if the launch is refused.
void find_segments(const std::uint32_t* positions, std::uint64_t count, const std::uint64_t* offsets,
                   std::uint32_t segment_count, std::uint32_t* segments, cudaStream_t stream);

}  // namespace sortie::kernels
