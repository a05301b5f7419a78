// Finds lines in one pass over the bytes. A warp loads its part of a tile by whole lines of memory, and finds the
// delimiters. Through shared memory each thread gets those of 128 consecutive bytes. A scan with look-back says how
// many lines end before those, and the thread writes where its lines end.
#include "kernels/common/launch.hpp"
#include "kernels/common/look_back.cuh"
#include "kernels/records.hpp"
#include "kernels/records/delimiter_bits.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarpLanes = 32;
constexpr unsigned kVectorBytes = 16;
constexpr unsigned kThreadVectors = 8;
constexpr unsigned kThreadBytes = kThreadVectors * kVectorBytes;
constexpr unsigned kTileBytes = kThreads * kThreadBytes;

/// The view of `bytes` from the 16-byte boundary at or before them. Tiles start there.
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

/// Bit i of the result: byte i of the vector is a delimiter.
__device__ unsigned delimiters_in_vector(const uint4& vector, std::uint32_t delimiter_bytes) {
  return delimiters_in_word(vector.x, delimiter_bytes) | delimiters_in_word(vector.y, delimiter_bytes) << 4 |
         delimiters_in_word(vector.z, delimiter_bytes) << 8 | delimiters_in_word(vector.w, delimiter_bytes) << 12;
}

/// The same for the 16 bytes from `position`, some of which are not part of `bytes`.
__device__ unsigned delimiters_at_edge(const LineScan& scan, std::uint64_t position) {
  unsigned found = 0;
  const auto delimiter = static_cast<std::byte>(scan.delimiter_bytes & 0xff);
  for (unsigned i = 0; i < kVectorBytes; ++i) {
    const bool inside = position + i >= scan.skip && position + i < scan.end;
    if (inside && scan.aligned[position + i] == delimiter) found |= 1u << i;
  }
  return found;
}

/// The delimiters of a tile, as one bit set per vector, in the order of the bytes.
struct alignas(16) TileDelimiters {
  std::uint16_t vectors[kThreads * kThreadVectors];
};

/// Searches the part of the tile that belongs to the caller's warp: kThreadVectors rows, each with a vector per lane.
__device__ void find_delimiters(const LineScan& scan, std::uint64_t tile_begin, TileDelimiters& delimiters) {
  const unsigned first = threadIdx.x / kWarpLanes * kWarpLanes * kThreadVectors + threadIdx.x % kWarpLanes;
  const std::uint64_t begin = tile_begin + std::uint64_t{first} * kVectorBytes;
  constexpr std::uint64_t kRowBytes = kWarpLanes * kVectorBytes;
  if (begin >= scan.skip && begin + (kThreadVectors - 1) * kRowBytes + kVectorBytes <= scan.end) {
    uint4 rows[kThreadVectors];
#pragma unroll
    for (unsigned k = 0; k < kThreadVectors; ++k) {
      rows[k] = *reinterpret_cast<const uint4*>(scan.aligned + begin + k * kRowBytes);
    }
#pragma unroll
    for (unsigned k = 0; k < kThreadVectors; ++k) {
      delimiters.vectors[first + k * kWarpLanes] =
          static_cast<std::uint16_t>(delimiters_in_vector(rows[k], scan.delimiter_bytes));
    }
    return;
  }
  for (unsigned k = 0; k < kThreadVectors; ++k) {
    delimiters.vectors[first + k * kWarpLanes] =
        static_cast<std::uint16_t>(delimiters_at_edge(scan, begin + k * kRowBytes));
  }
}

/// Writes the ends of lines. Bit k of `found` is a delimiter at byte `first` + k.
__device__ std::uint64_t write_ends(const LineScan& scan, std::uint64_t found, std::uint64_t first,
                                    std::uint64_t line) {
  for (; found != 0; found &= found - 1) {
    const unsigned end = __ffsll(static_cast<long long>(found));
    scan.offsets[++line] = scan.base + first + end - scan.skip;
  }
  return line;
}

__global__ void __launch_bounds__(kThreads) scan_lines_kernel(const LineScan scan, ScanState state) {
  __shared__ TileScanStorage<kThreads> storage;
  __shared__ TileDelimiters delimiters;
  const unsigned tile = claim_tile(state.tile_counter);
  const std::uint64_t tile_begin = std::uint64_t{tile} * kTileBytes;
  find_delimiters(scan, tile_begin, delimiters);
  __syncwarp();
  const auto found = reinterpret_cast<const ulonglong2*>(delimiters.vectors)[threadIdx.x];
  const std::uint64_t first = tile_begin + threadIdx.x * kThreadBytes;
  std::uint64_t line = scan_tile<kThreads>(storage, state.status, tile, __popcll(found.x) + __popcll(found.y));
  if (first == 0) scan.offsets[0] = scan.base;
  line = write_ends(scan, found.x, first, line);
  write_ends(scan, found.y, first + 64, line);
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
