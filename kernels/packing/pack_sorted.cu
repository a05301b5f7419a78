#include "kernels/common/launch.hpp"
#include "kernels/packing/packed_format.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kWarp = 32;

/// The sizes of a piece. The last piece has fewer codes, and so a shape of its own.
struct PieceShape {
  std::uint64_t blocks;
  std::uint64_t bytes;         ///< from the beginning of one piece to that of the next
  std::uint64_t lines_offset;  ///< from the beginning of the piece
  std::uint64_t most_bytes;    ///< maximum size of a packed piece
};

template <class Code>
PieceShape shape_of(std::uint64_t count) {
  return {packed_blocks(count), count * sizeof(Code), packed_lines_offset<Code>(count), most_packed_bytes<Code>(count)};
}

/// The number of bits that a difference takes, or the union of several.
template <class Code>
__device__ unsigned bits_of(Code difference) {
  if constexpr (sizeof(Code) == 4) {
    return 32 - __clz(static_cast<int>(difference));
  } else {
    return 64 - __clzll(static_cast<long long>(difference));
  }
}

/// A block of codes as differences. Positions behind the last code repeat it.
template <class Code>
struct BlockTile {
  Code differences[kPackedBlockCodes];
  unsigned width;
  std::uint32_t first_line;
};

/// On return all threads see tile.width.
template <class Code>
__device__ void load_block(const Code* codes, std::uint64_t count, BlockTile<Code>& tile) {
  constexpr unsigned kRow = kLineWords<Code>;
  if (threadIdx.x == 0) tile.width = 0;
  __syncthreads();
  Code bits = 0;
  for (unsigned i = threadIdx.x; i < kPackedBlockCodes; i += kThreads) {
    const unsigned before = i < kRow ? 0 : i - kRow;
    const Code difference = codes[i < count ? i : count - 1] - codes[before < count ? before : count - 1];
    tile.differences[i] = difference;
    bits |= difference;
  }
  for (unsigned away = kWarp / 2; away > 0; away /= 2) bits |= __shfl_xor_sync(~0U, bits, away);
  if (threadIdx.x % kWarp == 0) atomicMax(&tile.width, bits_of<Code>(bits));
  __syncthreads();
}

/// Word `word` of the block's lines: the bits of all codes whose strings reach into it.
template <class Code>
__device__ Code packed_word(const BlockTile<Code>& tile, unsigned word) {
  constexpr unsigned kWords = kLineWords<Code>;
  const unsigned width = tile.width;
  const unsigned first_bit = word / kWords * kCodeBits<Code>;
  const unsigned last_bit = first_bit + kCodeBits<Code> - 1;
  Code packed = 0;
  for (unsigned row = first_bit / width; row <= last_bit / width && row < kBlockRows<Code>; ++row) {
    const Code difference = tile.differences[row * kWords + word % kWords];
    const unsigned at = row * width;
    packed |= at >= first_bit ? difference << (at - first_bit) : difference >> (first_bit - at);
  }
  return packed;
}

/// A thread block packs one block and takes the next free lines of its piece. Lines beyond the piece's maximum size
/// are counted but not written.
template <class Code>
__global__ void __launch_bounds__(kThreads)
    pack_sorted_kernel(const Code* codes, std::uint64_t count, PieceShape whole, PieceShape last, std::byte* packed,
                       std::uint32_t* lines) {
  __shared__ BlockTile<Code> tile;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kPackedBlockCodes;
  load_block(codes + begin, count - begin, tile);
  const std::uint64_t piece = blockIdx.x / whole.blocks;
  const std::uint64_t block = blockIdx.x % whole.blocks;
  const bool is_last = (piece + 1) * whole.blocks >= gridDim.x;
  const PieceShape& shape = is_last ? last : whole;
  std::byte* const target = packed + piece * whole.bytes;
  if (threadIdx.x == 0) tile.first_line = atomicAdd(&lines[piece], tile.width);
  __syncthreads();
  if (shape.lines_offset + (std::uint64_t{tile.first_line} + tile.width) * kLineBytes > shape.most_bytes) return;

  if (threadIdx.x == 0) {
    reinterpret_cast<PackedBlockHeader<Code>*>(target)[block] = {codes[begin], tile.first_line, tile.width};
  }
  auto* const words =
      reinterpret_cast<Code*>(target + shape.lines_offset) + std::uint64_t{tile.first_line} * kLineWords<Code>;
  for (unsigned w = threadIdx.x; w < tile.width * kLineWords<Code>; w += kThreads) words[w] = packed_word(tile, w);
}

template <class Code>
void launch(const Code* codes, std::uint64_t count, std::uint64_t piece_codes, std::byte* packed, std::uint32_t* lines,
            cudaStream_t stream) {
  if (count == 0) return;
  const std::uint64_t pieces = divide_up(count, piece_codes);
  const std::uint64_t last_codes = count - (pieces - 1) * piece_codes;
  check_cuda(cudaMemsetAsync(lines, 0, pieces * sizeof *lines, stream), "clearing the lines of packed pieces");
  pack_sorted_kernel<<<grid_of_tiles(packed_blocks(count)), kThreads, 0, stream>>>(
      codes, count, shape_of<Code>(piece_codes), shape_of<Code>(last_codes), packed, lines);
  check_launch("packing kernel");
}

}  // namespace

void pack_sorted(const std::uint32_t* codes, std::uint64_t count, std::uint64_t piece_codes, std::byte* packed,
                 std::uint32_t* lines, cudaStream_t stream) {
  launch(codes, count, piece_codes, packed, lines, stream);
}

void pack_sorted(const std::uint64_t* codes, std::uint64_t count, std::uint64_t piece_codes, std::byte* packed,
                 std::uint32_t* lines, cudaStream_t stream) {
  launch(codes, count, piece_codes, packed, lines, stream);
}

}  // namespace sortie::kernels
