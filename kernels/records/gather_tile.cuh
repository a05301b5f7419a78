// How a block gathers a tile of records. It first copies each record into a slot of shared memory, in the aligned
// units of 16 bytes that it touches, with all copies under way at once. Then it assembles units of output and writes
// them in full. So a record is read in the fewest sectors and written in whole lines, however it is aligned.
//
//   record    ....|..rrrrrr|rrrrrrrr|rrr.....|...      units of 16 bytes of global memory
//   slot          |..rrrrrr|rrrrrrrr|rrr     |         the same phase in shared memory
//   output    rrr|rrrrrrrr|rrrrrrrr|r                  pieces of sizeof(Piece), to which all records are aligned
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/async_copy.cuh"
#include "kernels/records/gather_plan.hpp"

namespace sortie::kernels {

struct FixedGather {
  const std::byte* records;
  std::uintptr_t readable_end;  ///< nothing is read from here on
  const std::uint32_t* indices;
  std::byte* out;
  std::uint64_t count;
  GatherTile tile;
};

/// The offset of record `index` within its first unit.
__device__ inline unsigned phase_of_record(const FixedGather& gather, std::uint32_t index) {
  const auto base = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(gather.records));
  return (base + index * gather.tile.record_bytes) % kGatherUnitBytes;
}

/// Copies a unit of which bytes from readable_end on must not be read.
__device__ inline void copy_cut_unit(const FixedGather& gather, const std::byte* source, std::byte* slot) {
  const auto count = static_cast<unsigned>(gather.readable_end - reinterpret_cast<std::uintptr_t>(source));
  for (unsigned k = 0; k < count; ++k) slot[k] = source[k];
}

/// Starts the copies of all records of the tile into their slots, along with the other bytes of the units they touch.
__device__ inline void copy_records_async(const FixedGather& gather, unsigned tile_records,
                                          const std::uint32_t* indices, std::byte* slots) {
  const GatherTile& tile = gather.tile;
  const unsigned units = tile_records * tile.slot_units;
  for (unsigned unit = threadIdx.x; unit < units; unit += blockDim.x) {
    const unsigned slot = tile.by_slot_units.quotient(unit);
    const unsigned within = (unit - slot * tile.slot_units) * kGatherUnitBytes;
    const std::uint32_t index = indices[slot];
    const unsigned phase = phase_of_record(gather, index);
    if (within >= phase + tile.record_bytes) continue;
    const std::byte* source = gather.records + std::uint64_t{index} * tile.record_bytes - phase + within;
    std::byte* const target = slots + unit * kGatherUnitBytes;
    if (gather.readable_end - reinterpret_cast<std::uintptr_t>(source) >= kGatherUnitBytes) {
      copy_async<kGatherUnitBytes>(target, source);
    } else {
      copy_cut_unit(gather, source, target);
    }
  }
}

/// Reads the output's pieces from the slots, in order.
template <class Piece>
class PieceReader {
 public:
  __device__ PieceReader(const GatherTile& tile, const std::byte* slots, const std::uint32_t* starts, unsigned piece)
      : tile_(tile), slots_(slots), starts_(starts), slot_(tile.by_record_pieces.quotient(piece)) {
    within_ = piece - slot_ * tile.record_pieces;
    start_ = starts_[slot_];
  }

  __device__ Piece next() {
    if (within_ == tile_.record_pieces) {
      within_ = 0;
      start_ = starts_[++slot_];
    }
    return *reinterpret_cast<const Piece*>(slots_ + start_ + within_++ * sizeof(Piece));
  }

 private:
  const GatherTile& tile_;
  const std::byte* slots_;
  const std::uint32_t* starts_;
  unsigned slot_;
  unsigned within_;
  unsigned start_;
};

template <class Piece>
union OutputUnit {
  static constexpr unsigned kPieces = kGatherUnitBytes / sizeof(Piece);
  uint4 whole;
  Piece pieces[kPieces];
};

/// Writes the tile's output in whole units, and in pieces at its ends if the units there are partial.
template <class Piece>
__device__ void store_output(const GatherTile& tile, unsigned tile_records, const std::byte* slots,
                             const std::uint32_t* starts, std::byte* out) {
  using Unit = OutputUnit<Piece>;
  const unsigned lead = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(out) % kGatherUnitBytes) / sizeof(Piece);
  const unsigned end = lead + tile_records * tile.record_pieces;
  auto* pieces_out = reinterpret_cast<Piece*>(out) - lead;
  for (unsigned first = threadIdx.x * Unit::kPieces; first < end; first += blockDim.x * Unit::kPieces) {
    if (first >= lead && first + Unit::kPieces <= end) {
      Unit unit;
      PieceReader<Piece> reader(tile, slots, starts, first - lead);
#pragma unroll
      for (unsigned k = 0; k < Unit::kPieces; ++k) unit.pieces[k] = reader.next();
      *reinterpret_cast<uint4*>(pieces_out + first) = unit.whole;
      continue;
    }
    const unsigned low = first > lead ? first : lead;
    const unsigned high = first + Unit::kPieces < end ? first + Unit::kPieces : end;
    PieceReader<Piece> reader(tile, slots, starts, low - lead);
    for (unsigned k = low; k < high; ++k) pieces_out[k] = reader.next();
  }
}

/// Dynamic shared memory: GatherTile::slots_bytes().
template <class Piece, unsigned kThreads>
__global__ void __launch_bounds__(kThreads) gather_records_kernel(const FixedGather gather) {
  extern __shared__ uint4 dynamic_shared[];
  __shared__ std::uint32_t indices[kMostGatherTileRecords];
  __shared__ std::uint32_t starts[kMostGatherTileRecords];
  auto* slots = reinterpret_cast<std::byte*>(dynamic_shared);
  const GatherTile& tile = gather.tile;
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * tile.records;
  const std::uint64_t left = gather.count - begin;
  const unsigned tile_records = left < tile.records ? static_cast<unsigned>(left) : tile.records;
  for (unsigned i = threadIdx.x; i < tile_records; i += kThreads) {
    const std::uint32_t index = gather.indices[begin + i];
    indices[i] = index;
    starts[i] = i * tile.slot_units * kGatherUnitBytes + phase_of_record(gather, index);
  }
  __syncthreads();
  copy_records_async(gather, tile_records, indices, slots);
  await_copies();
  __syncthreads();
  store_output<Piece>(tile, tile_records, slots, starts, gather.out + begin * tile.record_bytes);
}

}  // namespace sortie::kernels
