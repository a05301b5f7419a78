// Lines are gathered by output bytes, not by lines, so that one huge line is copied by as many blocks as
// many short ones of the same size. A block looks up the line in which its tile begins, reads the
// beginnings of the lines that follow in the tile, and each thread fills 16 bytes at a time.
#include "kernels/chained_scan.cuh"
#include "kernels/launch.hpp"
#include "kernels/records.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 512;
constexpr unsigned kTileBytes = 16384;
constexpr unsigned kScanThreads = 256;
constexpr unsigned kScanItems = 8;
constexpr unsigned kScanTile = kScanThreads * kScanItems;

struct LineGather {
  const std::byte* records;
  const std::uint64_t* offsets;
  const std::uint32_t* indices;
  std::uint64_t count;
  const std::uint64_t* out_offsets;
  std::uint64_t begin;
  std::uint64_t end;
  std::byte* out;
};

/// The line that holds output byte `byte`. The whole block narrows the range by its number of threads at
/// a time, since each step costs a trip to memory.
__device__ std::uint64_t find_line(const LineGather& gather, std::uint64_t byte) {
  std::uint64_t low = 0;
  std::uint64_t length = gather.count;
  while (length > 1) {
    const std::uint64_t step = (length + kThreads - 1) / kThreads;
    const std::uint64_t at = threadIdx.x * step;
    const bool begins_before = at < length && gather.out_offsets[low + at] <= byte;
    const std::uint64_t last = __syncthreads_count(begins_before) - 1;
    low += last * step;
    length = length - last * step < step ? length - last * step : step;
  }
  return low;
}

/// Places in the tile where its lines begin, the first one at 0; returns their number.
__device__ unsigned load_line_begins(const LineGather& gather, std::uint64_t first_line, std::uint64_t tile_begin,
                                     std::uint64_t tile_end, std::uint16_t* begins) {
  if (threadIdx.x == 0) begins[0] = 0;
  unsigned lines = 1;
  for (std::uint64_t line = first_line + 1;; line += kThreads) {
    const std::uint64_t mine = line + threadIdx.x;
    const std::uint64_t begin = mine < gather.count ? gather.out_offsets[mine] : tile_end;
    if (begin < tile_end) begins[mine - first_line] = static_cast<std::uint16_t>(begin - tile_begin);
    const unsigned found = __syncthreads_count(begin < tile_end);
    lines += found;
    if (found < kThreads) return lines;
  }
}

/// Four bytes from any address, reading aligned words that hold at least one of them.
__device__ std::uint32_t load_unaligned(const std::uint32_t* word, unsigned misalignment_bits) {
  return misalignment_bits == 0 ? word[0] : __funnelshift_r(word[0], word[1], misalignment_bits);
}

__device__ uint4 load_unaligned_vector(const std::byte* source) {
  const auto address = reinterpret_cast<std::uintptr_t>(source);
  const auto* words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const unsigned bits = 8 * static_cast<unsigned>(address & 3);
  return {load_unaligned(words, bits), load_unaligned(words + 1, bits), load_unaligned(words + 2, bits),
          load_unaligned(words + 3, bits)};
}

/// The place where output byte `byte` of `line` lies in the records.
__device__ const std::byte* source_of(const LineGather& gather, std::uint64_t line, std::uint64_t byte) {
  return gather.records + gather.offsets[gather.indices[line]] + (byte - gather.out_offsets[line]);
}

/// Fills bytes [place, place + 16) of the tile, fewer at its end.
__device__ void copy_vector(const LineGather& gather, std::uint64_t first_line, const std::uint16_t* begins,
                            unsigned lines, std::uint64_t tile_begin, unsigned place, unsigned tile_bytes) {
  unsigned low = 0;
  for (unsigned high = lines; high - low > 1;) {
    const unsigned middle = (low + high) / 2;
    (begins[middle] <= place ? low : high) = middle;
  }
  const unsigned line_end = low + 1 < lines ? begins[low + 1] : tile_bytes;
  std::byte* target = gather.out + (tile_begin - gather.begin) + place;
  if (place + 16 <= line_end) {
    const std::byte* source = source_of(gather, first_line + low, tile_begin + place);
    *reinterpret_cast<uint4*>(target) = load_unaligned_vector(source);
    return;
  }
  const unsigned end = place + 16 < tile_bytes ? place + 16 : tile_bytes;
  for (unsigned at = place; at < end; ++low) {
    const unsigned next = low + 1 < lines ? begins[low + 1] : tile_bytes;
    const unsigned stop = next < end ? next : end;
    const std::byte* source = source_of(gather, first_line + low, tile_begin + at);
    for (; at < stop; ++at) *target++ = *source++;
  }
}

__global__ void __launch_bounds__(kThreads) gather_lines_kernel(const LineGather gather) {
  __shared__ std::uint16_t begins[kTileBytes];
  const std::uint64_t tile_begin = gather.begin + std::uint64_t{blockIdx.x} * kTileBytes;
  const std::uint64_t left = gather.end - tile_begin;
  const unsigned tile_bytes = left < kTileBytes ? static_cast<unsigned>(left) : kTileBytes;
  const std::uint64_t first_line = find_line(gather, tile_begin);
  const unsigned lines = load_line_begins(gather, first_line, tile_begin, tile_begin + tile_bytes, begins);
  for (unsigned place = threadIdx.x * 16; place < tile_bytes; place += kThreads * 16) {
    copy_vector(gather, first_line, begins, lines, tile_begin, place, tile_bytes);
  }
}

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
  std::uint64_t place = scan_tile<kScanThreads>(storage, state.status, tile, sum);
#pragma unroll
  for (unsigned k = 0; k < kScanItems; ++k) {
    if (first + k <= count) out_offsets[first + k] = place;
    place += lengths[k];
  }
}

/// The tiles hold one place more than there are lines: the size of the output.
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

void gather_lines(const std::byte* records, const std::uint64_t* offsets, const std::uint32_t* indices,
                  std::uint64_t count, const std::uint64_t* out_offsets, std::uint64_t begin, std::uint64_t end,
                  std::byte* out, cudaStream_t stream) {
  if (begin == end) return;
  const LineGather gather{records, offsets, indices, count, out_offsets, begin, end, out};
  gather_lines_kernel<<<grid_of_tiles(divide_up(end - begin, kTileBytes)), kThreads, 0, stream>>>(gather);
  check_launch("line gather kernel");
}

}  // namespace sortie::kernels
