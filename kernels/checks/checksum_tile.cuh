// How a block hashes records of any length. The bytes of as many records as it has threads lie side by side. The block
// stages them in shared memory in whole units of 16 bytes, and each thread hashes one of them there. Meanwhile the
// units of the block's next tile are on their way into a second buffer.
//
//   memory   ..|....rrrrr|rrrsssss|sssssttt|ttttt...|      units of 16 bytes; records r, s, t
//   buffer     |....rrrrr|rrrsssss|sssssttt|ttttt...|
//
// Places says where records begin and where the last one ends, and whether their tiles fit a buffer. Tiles that do not
// fit are read in place. Stage says how records are read from a buffer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/checks/aligned_word_reader.hpp"
#include "kernels/checks/checksum_sum.cuh"
#include "kernels/checks/xxh3.hpp"
#include "kernels/common/async_copy.cuh"

namespace sortie::kernels {

inline constexpr unsigned kChecksumThreads = 128;  ///< threads of a block, records of a tile
inline constexpr unsigned kChecksumBlocksPerMultiprocessor = 8;
inline constexpr unsigned kStageUnitBytes = 16;

enum class TileFit { kAlways, kPerhaps, kNever };

template <TileFit kTileFit>
struct FixedPlaces {
  static constexpr TileFit kFit = kTileFit;
  std::uint64_t record_bytes;

  __host__ __device__ std::uint64_t begin(std::uint64_t record) const { return record * record_bytes; }
};

struct LinePlaces {
  static constexpr TileFit kFit = TileFit::kPerhaps;
  const std::uint64_t* offsets;

  __device__ std::uint64_t begin(std::uint64_t line) const { return offsets[line]; }
};

/// Reads records that begin and end anywhere or, if kWholeWords, at multiples of 4 bytes.
template <bool kWholeWords>
struct WordStage {
  __host__ __device__ static constexpr unsigned place(unsigned unit) { return unit; }

  __device__ static Checksum hash(const uint4* buffer, unsigned begin, unsigned length, const Xxh3Secret& secret) {
    using Reader = AlignedWordReader<const std::uint32_t*, unsigned, kWholeWords>;
    return xxh3_128(Reader(reinterpret_cast<const std::uint32_t*>(buffer), begin), length, secret);
  }
};

/// Reads records of more than one whole unit. After every eight units one is left free, so that records of an even
/// number of units begin in different banks.
template <bool kSkewed>
struct UnitStage {
  __host__ __device__ static constexpr unsigned place(unsigned unit) { return kSkewed ? unit + unit / 8 : unit; }

  struct Reader {
    const uint4* buffer;
    unsigned first;

    __device__ Xxh3Pair pair(std::uint64_t at) const {
      const uint4 unit = buffer[place(first + static_cast<unsigned>(at) / kStageUnitBytes)];
      return {unit.x | std::uint64_t{unit.y} << 32, unit.z | std::uint64_t{unit.w} << 32};
    }
  };

  __device__ static Checksum hash(const uint4* buffer, unsigned begin, unsigned length, const Xxh3Secret& secret) {
    return xxh3_over_16(Reader{buffer, begin / kStageUnitBytes}, length, secret);
  }
};

/// What a thread knows of a tile: its own record, and where the tile's buffer begins.
struct ChecksumTile {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< equal to `begin` if the thread has no record
  std::uint64_t buffer_begin = 0;
  bool staged = false;
};

/// Starts the copies of a tile into `buffer`, if it fits. Bytes after the last word of the last record are not read.
template <class Places, class Stage>
__device__ ChecksumTile stage_tile(const std::byte* records, const Places& places, std::uint64_t first,
                                   std::uint64_t count, uint4* buffer, unsigned buffer_units) {
  const std::uint64_t last = first + kChecksumThreads < count ? first + kChecksumThreads : count;
  const std::uint64_t record = first + threadIdx.x;
  ChecksumTile tile;
  if (record < last) {
    tile.begin = places.begin(record);
    tile.end = places.begin(record + 1);
  }
  if (Places::kFit == TileFit::kNever) return tile;
  const std::uint64_t end = places.begin(last);
  tile.buffer_begin = places.begin(first) / kStageUnitBytes * kStageUnitBytes;
  tile.staged =
      Places::kFit == TileFit::kAlways || end - tile.buffer_begin <= std::uint64_t{buffer_units} * kStageUnitBytes;
  if (!tile.staged) return tile;
  const auto bytes = static_cast<unsigned>(end - tile.buffer_begin);
  const unsigned whole_units = bytes / kStageUnitBytes;
  const std::byte* source = records + tile.buffer_begin;
  for (unsigned unit = threadIdx.x; unit < whole_units; unit += kChecksumThreads) {
    copy_async<kStageUnitBytes>(buffer + Stage::place(unit), source + unit * kStageUnitBytes);
  }
  const unsigned rest = whole_units * kStageUnitBytes + 4 * threadIdx.x;
  if (rest < bytes) {
    copy_async<4>(reinterpret_cast<std::byte*>(buffer + Stage::place(whole_units)) + 4 * threadIdx.x, source + rest);
  }
  return tile;
}

__device__ __noinline__ inline Checksum hash_in_place(const std::byte* records, std::uint64_t begin,
                                                      std::uint64_t length, const Xxh3Secret& secret) {
  using Reader = AlignedWordReader<const std::uint32_t*, std::uint64_t>;
  return xxh3_128(Reader(reinterpret_cast<const std::uint32_t*>(records), begin), length, secret);
}

template <class Places, class Stage>
__device__ Checksum hash_record_of(const ChecksumTile& tile, const std::byte* records, const uint4* buffer,
                                   const Xxh3Secret& secret) {
  const std::uint64_t length = tile.end - tile.begin;
  if (Places::kFit != TileFit::kAlways && !tile.staged) return hash_in_place(records, tile.begin, length, secret);
  return Stage::hash(buffer, static_cast<unsigned>(tile.begin - tile.buffer_begin), static_cast<unsigned>(length),
                     secret);
}

/// Dynamic shared memory: two buffers of Stage::place(buffer_units) units.
template <class Places, class Stage>
__global__ void __launch_bounds__(kChecksumThreads, kChecksumBlocksPerMultiprocessor)
    record_checksum_kernel(const std::byte* records, const Places places, std::uint64_t count, unsigned buffer_units,
                           const __grid_constant__ Xxh3Secret secret, Checksum* sum) {
  extern __shared__ uint4 buffers[];
  uint4* buffer = buffers;
  uint4* next_buffer = buffers + Stage::place(buffer_units);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kChecksumThreads;
  std::uint64_t first = std::uint64_t{blockIdx.x} * kChecksumThreads;
  ChecksumTile next = stage_tile<Places, Stage>(records, places, first, count, buffer, buffer_units);
  Checksum own;
  for (; first < count; first += stride) {
    const ChecksumTile tile = next;
    await_copies();
    __syncthreads();
    if (first + stride < count) {
      next = stage_tile<Places, Stage>(records, places, first + stride, count, next_buffer, buffer_units);
    }
    if (tile.end > tile.begin) add(own, hash_record_of<Places, Stage>(tile, records, buffer, secret));
    uint4* const done = buffer;
    buffer = next_buffer;
    next_buffer = done;
  }
  add_from_block<kChecksumThreads>(own, sum);
}

}  // namespace sortie::kernels
