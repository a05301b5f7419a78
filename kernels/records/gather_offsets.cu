// Finds where gathered lines go: an exclusive scan of their lengths in the order of the gather, in one pass.
#include "kernels/common/launch.hpp"
#include "kernels/common/look_back.cuh"
#include "kernels/records.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kScanThreads = 256;
constexpr unsigned kScanItems = 8;
constexpr unsigned kScanTile = kScanThreads * kScanItems;

__global__ void __launch_bounds__(kScanThreads)
    scan_line_lengths_kernel(const std::uint64_t* offsets, const std::uint32_t* indices, std::uint64_t count,
                             std::uint64_t* out_offsets, ScanState state) {
  __shared__ TileScanStorage<kScanThreads> storage;
  const unsigned tile = claim_tile(state.tile_counter);
  const std::uint64_t first = std::uint64_t{tile} * kScanTile + threadIdx.x * kScanItems;
  std::uint64_t lengths[kScanItems];
  std::uint64_t sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kScanItems; ++k) {
    lengths[k] = 0;
    if (first + k < count) {
      const std::uint64_t index = indices[first + k];
      lengths[k] = offsets[index + 1] - offsets[index];
    }
    sum += lengths[k];
  }
  std::uint64_t position = scan_tile<kScanThreads>(storage, state.status, tile, sum);
#pragma unroll
  for (unsigned k = 0; k < kScanItems; ++k) {
    if (first + k <= count) out_offsets[first + k] = position;
    position += lengths[k];
  }
}

/// The scan has one item more than there are lines: the size of the output.
std::uint64_t length_tiles(std::uint64_t count) { return divide_up(count + 1, kScanTile); }

}  // namespace

std::uint64_t gather_offsets_scratch_bytes(std::uint64_t count) {
  ScratchLayout layout;
  return scan_state(layout, length_tiles(count)).size_bytes;
}

void gather_offsets(const std::uint64_t* offsets, const std::uint32_t* indices, std::uint64_t count,
                    std::uint64_t* out_offsets, void* scratch, cudaStream_t stream) {
  ScratchLayout layout(scratch);
  const ScanState state = scan_state(layout, length_tiles(count));
  check_cuda(cudaMemsetAsync(scratch, 0, state.size_bytes, stream), "clearing the scan of line lengths");
  scan_line_lengths_kernel<<<grid_of_tiles(length_tiles(count)), kScanThreads, 0, stream>>>(offsets, indices, count,
                                                                                            out_offsets, state);
  check_launch("line length scan kernel");
}

}  // namespace sortie::kernels
