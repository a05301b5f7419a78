// One pass over the bytes: each thread finds the delimiters among 64 of them, a scan with look-back says
// how many lines end before those, and the thread writes where its lines end.
#include "kernels/chained_scan.cuh"
#include "kernels/launch.hpp"
#include "kernels/records.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kThreadBytes = 64;
constexpr unsigned kTileBytes = kThreads * kThreadBytes;

/// `bytes` seen from the 16-byte boundary at or before them: tiles start there.
struct LineScan {
  const std::byte* aligned;
  std::uint64_t skip;             ///< bytes before the first one, 0 to 15
  std::uint64_t end;              ///< skip + byte count
  std::uint32_t delimiter_bytes;  ///< the delimiter in each of four bytes
  std::uint64_t base;
  std::uint64_t* offsets;
};

LineScan line_scan(const std::byte* bytes, std::uint64_t byte_count) {
  LineScan scan{};
  scan.skip = reinterpret_cast<std::uintptr_t>(bytes) % 16;
  scan.aligned = bytes - scan.skip;
  scan.end = scan.skip + byte_count;
  return scan;
}

std::uint64_t scan_tiles(std::uint64_t byte_count) { return divide_up(byte_count + 15, kTileBytes); }

/// Bit i: byte i of the word is a delimiter.
__device__ unsigned delimiters_in_word(std::uint32_t word, std::uint32_t delimiter_bytes) {
  const unsigned equal = __vcmpeq4(word, delimiter_bytes) & 0x08040201u;
  return (equal | equal >> 8 | equal >> 16 | equal >> 24) & 0xfu;
}

/// Bit i: byte place + i, i < 16, is a delimiter.
__device__ std::uint64_t delimiters_in_vector(const LineScan& scan, std::uint64_t place) {
  if (place >= scan.skip && place + 16 <= scan.end) {
    const uint4 vector = *reinterpret_cast<const uint4*>(scan.aligned + place);
    return delimiters_in_word(vector.x, scan.delimiter_bytes) |
           delimiters_in_word(vector.y, scan.delimiter_bytes) << 4 |
           delimiters_in_word(vector.z, scan.delimiter_bytes) << 8 |
           delimiters_in_word(vector.w, scan.delimiter_bytes) << 12;
  }
  std::uint64_t found = 0;
  const auto delimiter = static_cast<std::byte>(scan.delimiter_bytes & 0xff);
  for (unsigned i = 0; i < 16; ++i) {
    const bool inside = place + i >= scan.skip && place + i < scan.end;
    if (inside && scan.aligned[place + i] == delimiter) found |= std::uint64_t{1} << i;
  }
  return found;
}

__global__ void __launch_bounds__(kThreads) scan_lines_kernel(const LineScan scan, ScanState state) {
  __shared__ TileScanStorage<kThreads> storage;
  const unsigned tile = claim_tile(state.tile_counter);
  const std::uint64_t first = std::uint64_t{tile} * kTileBytes + threadIdx.x * kThreadBytes;
  std::uint64_t found = 0;
#pragma unroll
  for (unsigned i = 0; i < kThreadBytes; i += 16) found |= delimiters_in_vector(scan, first + i) << i;
  std::uint64_t line = scan_tile<kThreads>(storage, state.status, tile, __popcll(found));
  if (first == 0) scan.offsets[0] = scan.base;
  for (; found != 0; found &= found - 1) {
    const unsigned end = __ffsll(static_cast<long long>(found));
    scan.offsets[++line] = scan.base + first + end - scan.skip;
  }
}

}  // namespace

std::uint64_t scan_lines_scratch_bytes(std::uint64_t byte_count) {
  ScratchLayout layout;
  return scan_state(layout, scan_tiles(byte_count)).size_bytes;
}

void scan_lines(const std::byte* bytes, std::uint64_t byte_count, char delimiter, std::uint64_t base,
                std::uint64_t* offsets, void* scratch, cudaStream_t stream) {
  ScratchLayout layout(scratch);
  const ScanState state = scan_state(layout, scan_tiles(byte_count));
  LineScan scan = line_scan(bytes, byte_count);
  scan.delimiter_bytes = 0x01010101u * static_cast<unsigned char>(delimiter);
  scan.base = base;
  scan.offsets = offsets;
  check_cuda(cudaMemsetAsync(scratch, 0, state.size_bytes, stream), "clearing the scan of lines");
  scan_lines_kernel<<<grid_of_tiles(scan_tiles(byte_count)), kThreads, 0, stream>>>(scan, state);
  check_launch("line scan kernel");
}

}  // namespace sortie::kernels
