// Lines are gathered by output bytes, not by lines, so that one huge line is copied by as many blocks as many short
// ones of the same size. A block looks up the line in which its first tile begins; each of its tiles ends where the
// next begins.
#include <algorithm>

#include "kernels/common/launch.hpp"
#include "kernels/records.hpp"
#include "kernels/records/gather_line_tile.cuh"

namespace sortie::kernels {
namespace {

constexpr unsigned kBlocksPerMultiprocessor = 6;
constexpr std::uint64_t kMostTilesPerBlock = 4;

/// The line that holds output byte `byte`. Each step costs a trip to memory, so the whole block narrows the range by a
/// factor of its number of threads at a time.
__device__ std::uint64_t find_line(const LineGather& gather, std::uint64_t byte) {
  std::uint64_t low = 0;
  std::uint64_t length = gather.count;
  while (length > 1) {
    const std::uint64_t step = (length + kLineGatherThreads - 1) / kLineGatherThreads;
    const std::uint64_t at = threadIdx.x * step;
    const bool begins_before = at < length && gather.out_offsets[low + at] <= byte;
    const std::uint64_t last = __syncthreads_count(begins_before) - 1;
    low += last * step;
    length = length - last * step < step ? length - last * step : step;
  }
  return low;
}

/// Gathers a tile whose first line is `line`. Returns its last line, in which the next tile may begin.
__device__ std::uint64_t gather_tile(const LineGather& gather, const LineTile& tile, std::uint64_t line,
                                     LineBatch& batch) {
  std::byte* out = gather.out + (tile.begin - gather.begin);
  while (true) {
    const unsigned lines = locate_lines(gather, tile, line, batch);
    if (lines == 0) return line - 1;
    copy_lines_async(batch, lines);
    await_copies();
    __syncthreads();
    store_lines(batch, lines, out);
    __syncthreads();
    if (lines < kBatchLines) return line + lines - 1;
    line += lines;
  }
}

__global__ void __launch_bounds__(kLineGatherThreads)
    gather_lines_kernel(const __grid_constant__ LineGather gather, std::uint64_t block_bytes) {
  __shared__ LineBatch batch;
  const std::uint64_t begin = gather.begin + blockIdx.x * block_bytes;
  const std::uint64_t end = begin + block_bytes < gather.end ? begin + block_bytes : gather.end;
  std::uint64_t line = find_line(gather, begin);
  for (std::uint64_t at = begin; at < end; at += kLineTileBytes) {
    line = gather_tile(gather, {at, at + kLineTileBytes < end ? at + kLineTileBytes : end}, line, batch);
  }
}

}  // namespace

void gather_lines(const std::byte* records, const std::uint64_t* offsets, const std::uint32_t* indices,
                  std::uint64_t count, const std::uint64_t* out_offsets, std::uint64_t begin, std::uint64_t end,
                  std::byte* out, cudaStream_t stream) {
  if (begin == end) return;
  const LineGather gather{records, offsets, indices, count, out_offsets, begin, end, out};
  // Several tiles per block save searches. They are used if there are enough to keep all multiprocessors busy.
  const std::uint64_t tiles = divide_up(end - begin, kLineTileBytes);
  const std::uint64_t resident = std::uint64_t{multiprocessor_count()} * kBlocksPerMultiprocessor;
  const std::uint64_t block_bytes =
      std::clamp<std::uint64_t>(tiles / (4 * resident), 1, kMostTilesPerBlock) * kLineTileBytes;
  gather_lines_kernel<<<grid_of_tiles(divide_up(end - begin, block_bytes)), kLineGatherThreads, 0, stream>>>(
      gather, block_bytes);
  check_launch("line gather kernel");
}

}  // namespace sortie::kernels
