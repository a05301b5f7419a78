#include <limits>

#include "kernels/common/launch.hpp"
#include "kernels/records.hpp"
#include "kernels/records/gather_tile.cuh"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kTileBytes = 24 << 10;  ///< with 100-byte records, 8 to 40 KB are the same within 2% on an H200
constexpr std::uint64_t kLongestTiledRecord = 2048;

/// Copies records so long that a tile would hold few: a block copies one at a time.
template <class Piece>
__global__ void __launch_bounds__(kThreads)
    gather_long_records_kernel(const Piece* records, const std::uint32_t* indices, Piece* out, std::uint64_t count,
                               std::uint64_t record_pieces) {
  for (std::uint64_t record = blockIdx.x; record < count; record += gridDim.x) {
    const Piece* source = records + indices[record] * record_pieces;
    Piece* target = out + record * record_pieces;
    for (std::uint64_t piece = threadIdx.x; piece < record_pieces; piece += kThreads) target[piece] = source[piece];
  }
}

template <class Piece>
void launch_gather(const std::byte* records, std::uint64_t record_bytes, std::uintptr_t readable_end,
                   const std::uint32_t* indices, std::uint64_t count, std::byte* out, cudaStream_t stream) {
  if (record_bytes > kLongestTiledRecord) {
    gather_long_records_kernel<<<persistent_grid(count, 8), kThreads, 0, stream>>>(
        reinterpret_cast<const Piece*>(records), indices, reinterpret_cast<Piece*>(out), count,
        record_bytes / sizeof(Piece));
    check_launch("gather kernel for long records");
    return;
  }
  const GatherTile tile = GatherTile::of(static_cast<std::uint32_t>(record_bytes), sizeof(Piece), kTileBytes);
  const unsigned grid = grid_of_tiles(divide_up(count, tile.records));
  gather_records_kernel<Piece, kThreads>
      <<<grid, kThreads, tile.slots_bytes(), stream>>>(FixedGather{records, readable_end, indices, out, count, tile});
  check_launch("gather kernel");
}

void gather_until(const std::byte* records, std::uint64_t record_bytes, std::uintptr_t readable_end,
                  const std::uint32_t* indices, std::uint64_t count, std::byte* out, cudaStream_t stream) {
  if (count == 0) return;
  switch (
      copy_unit_bytes(record_bytes, reinterpret_cast<std::uintptr_t>(records), reinterpret_cast<std::uintptr_t>(out))) {
    case 16:
      return launch_gather<uint4>(records, record_bytes, readable_end, indices, count, out, stream);
    case 8:
      return launch_gather<std::uint64_t>(records, record_bytes, readable_end, indices, count, out, stream);
    case 4:
      return launch_gather<std::uint32_t>(records, record_bytes, readable_end, indices, count, out, stream);
    case 2:
      return launch_gather<std::uint16_t>(records, record_bytes, readable_end, indices, count, out, stream);
    default:
      return launch_gather<std::uint8_t>(records, record_bytes, readable_end, indices, count, out, stream);
  }
}

}  // namespace

void gather_fixed(const std::byte* records, std::uint64_t record_bytes, const std::uint32_t* indices,
                  std::uint64_t count, std::byte* out, cudaStream_t stream) {
  gather_until(records, record_bytes, std::numeric_limits<std::uintptr_t>::max(), indices, count, out, stream);
}

void gather_fixed(const std::byte* records, std::uint64_t record_bytes, std::uint64_t record_count,
                  const std::uint32_t* indices, std::uint64_t count, std::byte* out, cudaStream_t stream) {
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(records) + record_count * record_bytes;
  gather_until(records, record_bytes, end, indices, count, out, stream);
}

}  // namespace sortie::kernels
