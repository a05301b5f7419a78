#include "kernels/common/launch.hpp"
#include "kernels/segments.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kSegmentThreads = 256;

/// The last segment that begins at or before the item; empty segments end where they begin, and hold none.
__global__ void __launch_bounds__(kSegmentThreads)
    find_segments_kernel(const std::uint32_t* positions, std::uint64_t count, const std::uint64_t* offsets,
                         std::uint32_t segment_count, std::uint32_t* segments) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kSegmentThreads + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t position = positions[i];
  std::uint64_t begin = 0;
  std::uint64_t end = segment_count;
  while (begin + 1 < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (offsets[middle] <= position) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  segments[i] = static_cast<std::uint32_t>(begin);
}

}  // namespace

void find_segments(const std::uint32_t* positions, std::uint64_t count, const std::uint64_t* offsets,
                   std::uint32_t segment_count, std::uint32_t* segments, cudaStream_t stream) {
  if (count == 0) return;
  find_segments_kernel<<<grid_of_tiles(divide_up(count, kSegmentThreads)), kSegmentThreads, 0, stream>>>(
      positions, count, offsets, segment_count, segments);
  check_launch("segment kernel");
}

}  // namespace sortie::kernels
