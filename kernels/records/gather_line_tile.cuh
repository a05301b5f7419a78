// How a block gathers a tile of output bytes from lines of any length. It copies the lines of the tile, some hundreds
// at a time, into slots of shared memory, in the aligned units of 16 bytes that they touch, with all copies under way
// at once. Then its threads assemble units of output and write them in full.
//
//   line      ....|..llllll|llllllll|lll.....|...      units of 16 bytes of global memory
//   slot          |..llllll|llllllll|lll     |         the same phase in shared memory
//   output    kkk|klllllll|llllllll|llmm                units of 16 bytes; k, m: the lines before and behind
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/async_copy.cuh"
#include "kernels/records/gather_plan.hpp"

namespace sortie::kernels {

inline constexpr unsigned kLineGatherThreads = kBatchLines;  ///< each thread looks up a line
inline constexpr unsigned kLineTileUnits = kLineTileBytes / kGatherUnitBytes;

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

/// Output bytes [begin, end) of the gather.
struct LineTile {
  std::uint64_t begin;
  std::uint64_t end;
};

/// The lines of a tile that are gathered together. Positions are bytes of output, counted from the tile's beginning.
struct LineBatch {
  uint4 slots[kLineSlotUnits];
  const std::byte* sources[kBatchLines];  ///< where a line's first byte in the tile lies
  std::uint32_t begins[kBatchLines + 1];  ///< positions of the lines, then the end of the last one
  std::uint32_t
      distances[kBatchLines];  ///< added to a position of the line, gives the position of its byte in the slots
  std::uint16_t line_at[kLineTileUnits + 1];  ///< the line of an output unit's first byte
};

/// Fills the batch that begins with line `first`: where each line is and where it goes. Returns the number of its
/// lines. Contains a barrier.
__device__ inline unsigned locate_lines(const LineGather& gather, const LineTile& tile, std::uint64_t first,
                                        LineBatch& batch) {
  const std::uint64_t line = first + threadIdx.x;
  const std::uint64_t line_begin = line < gather.count ? gather.out_offsets[line] : tile.end;
  const bool inside = line_begin < tile.end;
  if (inside) {
    const std::uint64_t line_end = gather.out_offsets[line + 1];
    const std::uint64_t begin = line_begin > tile.begin ? line_begin : tile.begin;
    const std::uint64_t end = line_end < tile.end ? line_end : tile.end;
    const std::byte* source = gather.records + gather.offsets[gather.indices[line]] + (begin - line_begin);
    const auto position = static_cast<std::uint32_t>(begin - tile.begin);
    const auto phase = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(source) % kGatherUnitBytes);
    batch.sources[threadIdx.x] = source;
    batch.begins[threadIdx.x] = position;
    const bool last = line + 1 == gather.count || line_end >= tile.end || threadIdx.x + 1 == kBatchLines;
    if (last) batch.begins[threadIdx.x + 1] = static_cast<std::uint32_t>(end - tile.begin);
    batch.distances[threadIdx.x] = line_slot_unit(position, threadIdx.x) * kGatherUnitBytes + phase - position;
  }
  return __syncthreads_count(inside);
}

/// Starts the copies of all lines into their slots, along with the other bytes of the units they touch. Notes in which
/// line each unit of output begins.
__device__ inline void copy_lines_async(LineBatch& batch, unsigned lines) {
  const unsigned lanes = lanes_per_line(lines, kLineGatherThreads);
  const unsigned lane = threadIdx.x % lanes;
  for (unsigned line = threadIdx.x / lanes; line < lines; line += kLineGatherThreads / lanes) {
    const std::uint32_t begin = batch.begins[line];
    const std::uint32_t end = batch.begins[line + 1];
    const std::byte* source = batch.sources[line];
    const auto phase = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(source) % kGatherUnitBytes);
    const unsigned units = (phase + (end - begin) + kGatherUnitBytes - 1) / kGatherUnitBytes;
    uint4* slot = batch.slots + (begin + batch.distances[line]) / kGatherUnitBytes;
    for (unsigned unit = lane; unit < units; unit += lanes) {
      copy_async<kGatherUnitBytes>(slot + unit, source - phase + unit * kGatherUnitBytes);
    }
    const unsigned last_unit = (end + kGatherUnitBytes - 1) / kGatherUnitBytes;
    for (unsigned unit = (begin + kGatherUnitBytes - 1) / kGatherUnitBytes + lane; unit < last_unit; unit += lanes) {
      batch.line_at[unit] = static_cast<std::uint16_t>(line);
    }
  }
}

/// Loads 16 bytes from any position in the slots, by the two units that hold them: lanes side by side read units
/// without bank conflicts, but not words.
__device__ inline uint4 load_unit(const LineBatch& batch, std::uint32_t at) {
  const uint4 low = batch.slots[at / kGatherUnitBytes];
  const uint4 high = batch.slots[at / kGatherUnitBytes + 1];
  const bool by_two = (at & 8) != 0;
  const std::uint32_t even[6] = {by_two ? low.z : low.x,  by_two ? low.w : low.y,   by_two ? high.x : low.z,
                                 by_two ? high.y : low.w, by_two ? high.z : high.x, by_two ? high.w : high.y};
  const bool by_one = (at & 4) != 0;
  std::uint32_t words[5];
#pragma unroll
  for (unsigned i = 0; i < 5; ++i) words[i] = by_one ? even[i + 1] : even[i];
  const unsigned shift = 8 * (at % 4);
  return {__funnelshift_r(words[0], words[1], shift), __funnelshift_r(words[1], words[2], shift),
          __funnelshift_r(words[2], words[3], shift), __funnelshift_r(words[3], words[4], shift)};
}

/// The output at positions [position, position + 16). Bytes outside of the batch's lines mean nothing.
__device__ inline uint4 assemble_unit(const LineBatch& batch, unsigned lines, std::uint32_t position) {
  unsigned line = position < batch.begins[0] ? 0 : batch.line_at[position / kGatherUnitBytes];
  uint4 unit = load_unit(batch, position + batch.distances[line]);
  while (++line < lines && batch.begins[line] < position + kGatherUnitBytes) {
    const unsigned from = batch.begins[line] - position;
    const uint4 later = load_unit(batch, position + batch.distances[line]);
    unit = {spliced_word(unit.x, later.x, from, 0), spliced_word(unit.y, later.y, from, 1),
            spliced_word(unit.z, later.z, from, 2), spliced_word(unit.w, later.w, from, 3)};
  }
  return unit;
}

/// Writes bytes [first, last) of a unit. `target` is where the whole unit would go.
__device__ inline void store_part(std::byte* target, const uint4& unit, unsigned first, unsigned last) {
  const std::uint32_t words[4] = {unit.x, unit.y, unit.z, unit.w};
#pragma unroll
  for (unsigned i = 0; i < kGatherUnitBytes; ++i) {
    if (i >= first && i < last) target[i] = static_cast<std::byte>(words[i / 4] >> (8 * (i % 4)) & 0xff);
  }
}

/// Writes the output of all lines of the batch. `out` is where the tile begins, aligned to a unit.
__device__ inline void store_lines(const LineBatch& batch, unsigned lines, std::byte* out) {
  const std::uint32_t begin = batch.begins[0];
  const std::uint32_t end = batch.begins[lines];
  for (std::uint32_t position = begin / kGatherUnitBytes * kGatherUnitBytes + threadIdx.x * kGatherUnitBytes;
       position < end; position += kLineGatherThreads * kGatherUnitBytes) {
    const uint4 unit = assemble_unit(batch, lines, position);
    if (position >= begin && position + kGatherUnitBytes <= end) {
      *reinterpret_cast<uint4*>(out + position) = unit;
    } else {
      store_part(out + position, unit, position < begin ? begin - position : 0, end - position);
    }
  }
}

}  // namespace sortie::kernels
