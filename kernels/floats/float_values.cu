#include "kernels/float_values.hpp"

#include "base/first_index.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/floats/saved_bits.cuh"

namespace sortie::kernels {
namespace {

/// The only block of a launch adds up what tiles hold.
constexpr unsigned kTileSumThreads = 1024;

enum class FloatMove { kTake, kPut };

/// Calls use(Bits{}), the unsigned integer of the keys' size.
template <class Use>
void with_float_bits(const FloatFormat& format, const Use& use) {
  if (format.bytes == 2) return use(std::uint16_t{});
  if (format.bytes == 4) return use(std::uint32_t{});
  use(std::uint64_t{});
}

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

/// A key may lie anywhere, at an address that is no multiple of its size.
template <class Bits>
__device__ Bits key_anywhere(const void* keys, std::uint64_t i, bool is_aligned) {
  if (is_aligned) return static_cast<const Bits*>(keys)[i];
  const auto* const bytes = static_cast<const unsigned char*>(keys) + i * sizeof(Bits);
  Bits bits = 0;
  for (unsigned k = 0; k < sizeof(Bits); ++k) bits |= static_cast<Bits>(Bits{bytes[k]} << (8 * k));
  return bits;
}

template <class Bits>
bool is_aligned(const void* keys) {
  return reinterpret_cast<std::uintptr_t>(keys) % sizeof(Bits) == 0;
}

constexpr unsigned kCopyItems = 4;  ///< per thread: so many loads are under way at once
constexpr std::uint64_t kCopyTile = kFloatThreads * kCopyItems;

template <class Bits, class Position>
__global__ void __launch_bounds__(kFloatThreads)
    copy_float_values_kernel(FloatValues<Bits> values, const void* keys, bool is_aligned, std::uint64_t count,
                             Bits* copied, Position* positions) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kCopyTile + threadIdx.x;
  Bits bits[kCopyItems];
#pragma unroll
  for (unsigned k = 0; k < kCopyItems; ++k) {
    const std::uint64_t i = first + k * kFloatThreads;
    if (i < count) bits[k] = key_anywhere<Bits>(keys, i, is_aligned);
  }
#pragma unroll
  for (unsigned k = 0; k < kCopyItems; ++k) {
    const std::uint64_t i = first + k * kFloatThreads;
    if (i >= count) break;
    copied[i] = values.canonical(bits[k]);
    positions[i] = static_cast<Position>(i);
  }
}

template <class Bits, class Position>
__global__ void __launch_bounds__(kFloatThreads)
    gather_float_bits_kernel(FloatValues<Bits> values, const void* keys, bool is_aligned, const Position* positions,
                             std::uint64_t count, Bits* copied) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kCopyTile + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < kCopyItems; ++k) {
    const std::uint64_t i = first + k * kFloatThreads;
    if (i >= count) break;
    const Bits bits = copied[i];
    if (values.is_nan(bits) || values.is_zero(bits)) copied[i] = key_anywhere<Bits>(keys, positions[i], is_aligned);
  }
}

/// Sorted keys whose negative NaNs lie at one end: in ascending order at the beginning.
template <class Bits>
struct KeysWithNans {
  FloatValues<Bits> values;
  const Bits* keys;
  std::uint64_t count;
  SortOrder order;

  __device__ bool has_nans() const {
    return values.is_negative_nan(keys[order == SortOrder::kAscending ? 0 : count - 1]);
  }

  /// How many keys lie before the border between negative NaNs and others.
  __device__ std::uint64_t border() const {
    const bool are_first = order == SortOrder::kAscending;
    return first_index(std::uint64_t{0}, count,
                       [&](std::uint64_t i) { return values.is_negative_nan(keys[i]) != are_first; });
  }
};

/// Where a key goes whose place was `i`.
__device__ inline std::uint64_t rotated_place(std::uint64_t i, std::uint64_t border, std::uint64_t count) {
  return i < border ? i + count - border : i - border;
}

template <class Bits>
__global__ void __launch_bounds__(kFloatThreads) rotate_few_keys_kernel(KeysWithNans<Bits> sorted, Bits* keys) {
  if (!sorted.has_nans()) return;
  const std::uint64_t border = sorted.border();
  Bits bits[kFloatItems];
#pragma unroll
  for (unsigned k = 0; k < kFloatItems; ++k) {
    const unsigned i = k * kFloatThreads + threadIdx.x;
    if (i < sorted.count) bits[k] = sorted.keys[i];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kFloatItems; ++k) {
    const unsigned i = k * kFloatThreads + threadIdx.x;
    if (i < sorted.count) keys[rotated_place(i, border, sorted.count)] = bits[k];
  }
}

template <class Bits>
__global__ void __launch_bounds__(kFloatThreads)
    rotate_keys_kernel(KeysWithNans<Bits> sorted, Bits* rotated, std::uint32_t* is_rotated) {
  const bool has_nans = sorted.has_nans();
  if (blockIdx.x == 0 && threadIdx.x == 0) *is_rotated = has_nans ? 1 : 0;
  if (!has_nans) return;
  __shared__ std::uint64_t border;
  if (threadIdx.x == 0) border = sorted.border();
  __syncthreads();
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kFloatThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kFloatThreads + threadIdx.x; i < sorted.count; i += stride) {
    rotated[rotated_place(i, border, sorted.count)] = sorted.keys[i];
  }
}

template <class Bits>
__global__ void __launch_bounds__(kFloatThreads)
    copy_rotated_keys_kernel(const Bits* rotated, std::uint64_t count, const std::uint32_t* is_rotated, Bits* keys) {
  if (*is_rotated == 0) return;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kFloatThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kFloatThreads + threadIdx.x; i < count; i += stride) {
    keys[i] = rotated[i];
  }
}

template <class Bits>
void rotate_keys(const KeysWithNans<Bits>& sorted, Bits* keys, Bits* alternate_keys, std::uint32_t* is_rotated,
                 cudaStream_t stream) {
  constexpr unsigned kRotatingBlocks = 8;  // per multiprocessor: most often they have nothing to do
  if (sorted.count <= kFloatTile) {
    rotate_few_keys_kernel<<<1, kFloatThreads, 0, stream>>>(sorted, keys);
    return check_launch("kernel that moves few NaNs");
  }
  const unsigned grid = persistent_grid(float_tiles(sorted.count), kRotatingBlocks);
  rotate_keys_kernel<<<grid, kFloatThreads, 0, stream>>>(sorted, alternate_keys, is_rotated);
  check_launch("kernel that moves NaNs");
  copy_rotated_keys_kernel<<<grid, kFloatThreads, 0, stream>>>(alternate_keys, sorted.count, is_rotated, keys);
  check_launch("kernel that copies moved NaNs");
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

template <SortValue Position>
void copy_float_values(const FloatFormat& format, const void* keys, std::uint64_t count, void* copied,
                       Position* positions, cudaStream_t stream) {
  if (count == 0) return;
  with_float_bits(format, [&]<class Bits>(Bits) {
    copy_float_values_kernel<<<grid_of_tiles(divide_up(count, kCopyTile)), kFloatThreads, 0, stream>>>(
        values_of<Bits>(format), keys, is_aligned<Bits>(keys), count, static_cast<Bits*>(copied), positions);
  });
  check_launch("kernel that copies the values of floats");
}

template <SortValue Position>
void gather_float_bits(const FloatFormat& format, const void* keys, const Position* positions, std::uint64_t count,
                       void* copied, cudaStream_t stream) {
  if (count == 0) return;
  with_float_bits(format, [&]<class Bits>(Bits) {
    gather_float_bits_kernel<<<grid_of_tiles(divide_up(count, kCopyTile)), kFloatThreads, 0, stream>>>(
        values_of<Bits>(format), keys, is_aligned<Bits>(keys), positions, count, static_cast<Bits*>(copied));
  });
  check_launch("kernel that gathers the bits of floats");
}

void move_negative_nans(const FloatFormat& format, void* keys, void* alternate_keys, std::uint64_t count,
                        SortOrder order, std::uint32_t* is_moved, cudaStream_t stream) {
  if (count == 0) return;
  with_float_bits(format, [&]<class Bits>(Bits) {
    auto* const bits = static_cast<Bits*>(keys);
    rotate_keys(KeysWithNans<Bits>{values_of<Bits>(format), bits, count, order}, bits,
                static_cast<Bits*>(alternate_keys), is_moved, stream);
  });
}

#define SORTIE_FLOAT_VALUES_WITH(Position)                                                                         \
  template void copy_float_values(const FloatFormat&, const void*, std::uint64_t, void*, Position*, cudaStream_t); \
  template void gather_float_bits(const FloatFormat&, const void*, const Position*, std::uint64_t, void*, cudaStream_t);

SORTIE_FLOAT_VALUES_WITH(std::uint32_t)
SORTIE_FLOAT_VALUES_WITH(std::uint64_t)

#undef SORTIE_FLOAT_VALUES_WITH

}  // namespace sortie::kernels
