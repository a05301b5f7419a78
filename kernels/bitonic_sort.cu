#include "kernels/bitonic_sort.hpp"

#include "kernels/bitonic_tile.cuh"
#include "kernels/launch.hpp"

namespace sortie::kernels {
namespace {

template <class Key>
__device__ BitonicKeys<Key> shared_tile(const BitonicKeys<Key>&) {
  __shared__ Key keys[kBitonicTile];
  return {keys};
}

template <class Key, class Value>
__device__ BitonicPairs<Key, Value> shared_tile(const BitonicPairs<Key, Value>&) {
  __shared__ Key keys[kBitonicTile];
  __shared__ Value values[kBitonicTile];
  return {keys, values};
}

enum class TileWork { kSort, kFinishMerge };

template <TileWork kWork, class Arrays>
__global__ void __launch_bounds__(kBitonicThreads) bitonic_tile_kernel(Arrays arrays, std::uint64_t count) {
  const Arrays tile = shared_tile(arrays);
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kBitonicTile;
  const std::uint64_t left = count - begin;
  const unsigned tile_count = left < kBitonicTile ? static_cast<unsigned>(left) : kBitonicTile;
  for (unsigned i = threadIdx.x; i < tile_count; i += kBitonicThreads) tile.store(i, arrays.load(begin + i));
  __syncthreads();
  if constexpr (kWork == TileWork::kSort) {
    sort_in_tile(tile, tile_count);
  } else {
    finish_merge_in_tile(tile, tile_count, kBitonicTile);
  }
  for (unsigned i = threadIdx.x; i < tile_count; i += kBitonicThreads) arrays.store(begin + i, tile.load(i));
}

/// One step whose comparators reach across tiles.
template <class Arrays>
__global__ void __launch_bounds__(kBitonicThreads)
    bitonic_step_kernel(Arrays arrays, std::uint64_t count, std::uint64_t size, bool mirrored) {
  const std::uint64_t index = std::uint64_t{blockIdx.x} * kBitonicThreads + threadIdx.x;
  const Comparator places = mirrored ? mirrored_comparator(index, size) : straight_comparator(index, size);
  if (places.high < count) compare_exchange(arrays, places);
}

template <class Arrays>
void launch_step(const Arrays& arrays, std::uint64_t count, std::uint64_t size, bool mirrored, cudaStream_t stream) {
  const unsigned grid = grid_of_tiles(divide_up(comparator_count(count, size), kBitonicThreads));
  bitonic_step_kernel<<<grid, kBitonicThreads, 0, stream>>>(arrays, count, size, mirrored);
  check_launch("bitonic step kernel");
}

template <class Arrays>
void bitonic_sort(const Arrays& arrays, std::uint64_t count, cudaStream_t stream) {
  if (count < 2) return;
  const unsigned tiles = grid_of_tiles(divide_up(count, kBitonicTile));
  bitonic_tile_kernel<TileWork::kSort><<<tiles, kBitonicThreads, 0, stream>>>(arrays, count);
  check_launch("bitonic tile sort kernel");
  for (std::uint64_t merged = 2 * std::uint64_t{kBitonicTile}; merged / 2 < count; merged *= 2) {
    launch_step(arrays, count, merged, true, stream);
    for (std::uint64_t size = merged / 2; size > kBitonicTile; size /= 2) {
      launch_step(arrays, count, size, false, stream);
    }
    bitonic_tile_kernel<TileWork::kFinishMerge><<<tiles, kBitonicThreads, 0, stream>>>(arrays, count);
    check_launch("bitonic tile merge kernel");
  }
}

}  // namespace

void bitonic_sort_keys(std::uint32_t* keys, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(BitonicKeys<std::uint32_t>{keys}, count, stream);
}

void bitonic_sort_keys(std::uint64_t* keys, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(BitonicKeys<std::uint64_t>{keys}, count, stream);
}

void bitonic_sort_pairs(std::uint32_t* keys, std::uint32_t* values, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(BitonicPairs<std::uint32_t, std::uint32_t>{keys, values}, count, stream);
}

void bitonic_sort_pairs(std::uint64_t* keys, std::uint32_t* values, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(BitonicPairs<std::uint64_t, std::uint32_t>{keys, values}, count, stream);
}

void bitonic_sort_pairs(std::uint64_t* keys, std::uint64_t* values, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(BitonicPairs<std::uint64_t, std::uint64_t>{keys, values}, count, stream);
}

}  // namespace sortie::kernels
