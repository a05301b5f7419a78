#include "kernels/float_values.hpp"

#include "kernels/common/launch.hpp"
#include "kernels/floats/saved_bits.cuh"

namespace sortie::kernels {
namespace {

/// The only block of a launch adds up what tiles hold.
constexpr unsigned kTileSumThreads = 1024;

enum class FloatMove { kTake, kPut };

/// All at once, where one tile holds all keys.
template <FloatMove kMove, class Bits>
__global__ void __launch_bounds__(kFloatThreads) move_few_floats_kernel(FloatTile<Bits> keys, SavedBits scratch) {
  if constexpr (kMove == FloatMove::kTake) {
    const bool is_needed = keys.floats(0).has_others();
    if (threadIdx.x == 0) *scratch.needed = is_needed ? 1 : 0;
    if (is_needed) keys.save(0, 0, 0);
  } else {
    if (*scratch.needed != 0) keys.put_back(0, 0, 0);
  }
}

template <FloatMove kMove, class Bits>
__global__ void __launch_bounds__(kFloatThreads) count_floats_kernel(FloatTile<Bits> keys, SavedBits scratch) {
  if (kMove == FloatMove::kPut && *scratch.needed == 0) return;
  const TileFloats found = keys.floats(blockIdx.x);
  if (threadIdx.x == 0) scratch.tiles[blockIdx.x] = found;
}

/// The sum over the threads of a block, and over those before this one, of two numbers.
struct TileSums {
  std::uint64_t zeros;
  std::uint64_t nans;
};

__device__ TileSums sums_before(const TileSums& own, TileSums& total) {
  constexpr unsigned kWarps = kTileSumThreads / 32;
  __shared__ TileSums warp_totals[kWarps];
  const TileSums inclusive{warp_inclusive_sum(own.zeros), warp_inclusive_sum(own.nans)};
  __syncthreads();
  if (threadIdx.x % 32 == 31) warp_totals[threadIdx.x / 32] = inclusive;
  __syncthreads();
  TileSums before{inclusive.zeros - own.zeros, inclusive.nans - own.nans};
  total = {0, 0};
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    const TileSums& sums = warp_totals[warp];
    if (warp < threadIdx.x / 32) before = {before.zeros + sums.zeros, before.nans + sums.nans};
    total = {total.zeros + sums.zeros, total.nans + sums.nans};
  }
  return before;
}

template <FloatMove kMove>
__global__ void __launch_bounds__(kTileSumThreads) add_up_tiles_kernel(SavedBits scratch, std::uint64_t tile_count) {
  if constexpr (kMove == FloatMove::kTake) {
    bool has_others = false;
    for (std::uint64_t t = threadIdx.x; t < tile_count; t += kTileSumThreads) {
      has_others |= scratch.tiles[t].has_others();
    }
    const bool is_needed = __syncthreads_or(has_others ? 1 : 0) != 0;
    if (threadIdx.x == 0) *scratch.needed = is_needed ? 1 : 0;
    if (!is_needed) return;
  } else {
    if (*scratch.needed == 0) return;
  }
  TileSums all{0, 0};
  for (std::uint64_t first = 0; first < tile_count; first += kTileSumThreads) {
    const std::uint64_t tile = first + threadIdx.x;
    const TileFloats found = tile < tile_count ? scratch.tiles[tile] : TileFloats();
    TileSums total;
    const TileSums before = sums_before({found.zeros(), found.nans()}, total);
    if (tile < tile_count) {
      scratch.zeros_before[tile] = all.zeros + before.zeros;
      scratch.nans_before[tile] = all.nans + before.nans;
    }
    all = {all.zeros + total.zeros, all.nans + total.nans};
  }
}

template <FloatMove kMove, class Bits>
__global__ void __launch_bounds__(kFloatThreads) move_floats_kernel(FloatTile<Bits> keys, SavedBits scratch) {
  const std::uint64_t tile = blockIdx.x;
  if (*scratch.needed == 0 || scratch.tiles[tile].is_empty()) return;
  if constexpr (kMove == FloatMove::kTake) {
    keys.save(tile, scratch.zeros_before[tile], scratch.nans_before[tile]);
  } else {
    keys.put_back(tile, scratch.zeros_before[tile], scratch.nans_before[tile]);
  }
}

template <FloatMove kMove>
void move_float_bits(const FloatFormat& format, void* keys, std::uint64_t count, void* scratch, cudaStream_t stream) {
  if (count == 0) return;
  const SavedBits saved(format.bytes, count, scratch);
  with_float_bits(format, [&]<class Bits>(Bits) {
    const FloatTile<Bits> tile{values_of<Bits>(format), static_cast<Bits*>(keys), count,
                               reinterpret_cast<Bits*>(saved.bits)};
    const std::uint64_t tile_count = float_tiles(count);
    const unsigned grid = grid_of_tiles(tile_count);
    if (grid == 1) {
      move_few_floats_kernel<kMove><<<1, kFloatThreads, 0, stream>>>(tile, saved);
      return check_launch("kernel that saves the bits of few floats");
    }
    count_floats_kernel<kMove><<<grid, kFloatThreads, 0, stream>>>(tile, saved);
    check_launch("kernel that counts zeros and NaNs");
    add_up_tiles_kernel<kMove><<<1, kTileSumThreads, 0, stream>>>(saved, tile_count);
    check_launch("kernel that adds up zeros and NaNs");
    move_floats_kernel<kMove><<<grid, kFloatThreads, 0, stream>>>(tile, saved);
    check_launch("kernel that saves the bits of floats");
  });
}

}  // namespace

std::uint64_t float_bits_scratch_bytes(const FloatFormat& format, std::uint64_t count) {
  return SavedBits(format.bytes, count).layout.size_bytes();
}

void take_float_bits(const FloatFormat& format, void* keys, std::uint64_t count, void* scratch, cudaStream_t stream) {
  move_float_bits<FloatMove::kTake>(format, keys, count, scratch, stream);
}

void put_float_bits(const FloatFormat& format, void* keys, std::uint64_t count, void* scratch, cudaStream_t stream) {
  move_float_bits<FloatMove::kPut>(format, keys, count, scratch, stream);
}

}  // namespace sortie::kernels
