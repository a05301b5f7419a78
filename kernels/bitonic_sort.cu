#include "kernels/bitonic_sort.hpp"

#include "kernels/bitonic_cluster.cuh"
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

__device__ BitonicKeys<std::uint64_t> shared_tile(const PackedPairs&) {
  __shared__ std::uint64_t pairs[kBitonicTile];
  return {pairs};
}

enum class TileWork { kSort, kFinishMerge };

template <TileWork kWork, class Arrays>
__global__ void __launch_bounds__(kBitonicThreads) bitonic_tile_kernel(Arrays arrays, std::uint64_t count) {
  const auto tile = shared_tile(arrays);
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

template <class Shape, class Arrays>
void launch_cluster(const Arrays& arrays, unsigned count, cudaStream_t stream) {
  constexpr unsigned kSharedBytes = cluster_shared_bytes<Arrays, Shape>();
  const auto kernel = bitonic_cluster_kernel<Arrays, Shape>;
  if constexpr (kSharedBytes > 48 * 1024) allow_shared_bytes(kernel, kSharedBytes, "bitonic cluster kernel");
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {Shape::kBlocks, 1, 1};
  cudaLaunchConfig_t launch{};
  launch.gridDim = Shape::kBlocks;
  launch.blockDim = Shape::kThreads;
  launch.dynamicSmemBytes = kSharedBytes;
  launch.stream = stream;
  launch.attrs = &cluster;
  launch.numAttrs = Shape::kBlocks > 1 ? 1 : 0;
  check_cuda(cudaLaunchKernelEx(&launch, kernel, arrays, count), "bitonic cluster kernel");
}

/// In ascending order of capacity; each the fastest of some 14 for as many items on an H200, time per call.
template <class... Shapes>
struct ClusterShapes {};

/// u32: 1.7, 2.5, 3.4, 4.9, 5.7 and 8.2 us; u64: 2.2, 3.2, 5.3, 6.1, 7.3 and 11.1.
using NumberShapes = ClusterShapes<ClusterShape<1, 32>, ClusterShape<1, 128>, ClusterShape<1, 256>, ClusterShape<8, 64>,
                                   ClusterShape<8, 128>, ClusterShape<8, 256>>;
/// u64 + u32: 4.1, 5.0, 7.7, 9.2, 12.0 and 21.3 us.
using PairShapes = ClusterShapes<ClusterShape<1, 32>, ClusterShape<1, 128>, ClusterShape<4, 64>, ClusterShape<4, 128>,
                                 ClusterShape<8, 128>, ClusterShape<8, 256>>;

/// Sorts in one launch. Returns false if no shape that the device can run holds so many items.
template <class... Shapes, class Arrays>
bool sort_in_cluster(ClusterShapes<Shapes...>, const Arrays& arrays, std::uint64_t count, cudaStream_t stream) {
  const bool has_clusters = device_attribute(cudaDevAttrClusterLaunch) != 0;
  const auto sorts = [&]<class Shape>(Shape) {
    if (count > Shape::kCapacity || (Shape::kBlocks > 1 && !has_clusters)) return false;
    launch_cluster<Shape>(arrays, static_cast<unsigned>(count), stream);
    return true;
  };
  return (sorts(Shapes()) || ...);
}

template <class Arrays>
void sort_in_tiles(const Arrays& arrays, std::uint64_t count, cudaStream_t stream) {
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

template <class Shapes, class Arrays>
void bitonic_sort(Shapes shapes, const Arrays& arrays, std::uint64_t count, cudaStream_t stream) {
  if (count < 2 || sort_in_cluster(shapes, arrays, count, stream)) return;
  sort_in_tiles(arrays, count, stream);
}

}  // namespace

void bitonic_sort_keys(std::uint32_t* keys, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(NumberShapes(), BitonicKeys<std::uint32_t>{keys}, count, stream);
}

void bitonic_sort_keys(std::uint64_t* keys, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(NumberShapes(), BitonicKeys<std::uint64_t>{keys}, count, stream);
}

void bitonic_sort_pairs(std::uint32_t* keys, std::uint32_t* values, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(NumberShapes(), PackedPairs{keys, values}, count, stream);
}

void bitonic_sort_pairs(std::uint64_t* keys, std::uint32_t* values, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(PairShapes(), BitonicPairs<std::uint64_t, std::uint32_t>{keys, values}, count, stream);
}

void bitonic_sort_pairs(std::uint64_t* keys, std::uint64_t* values, std::uint64_t count, cudaStream_t stream) {
  bitonic_sort(PairShapes(), BitonicPairs<std::uint64_t, std::uint64_t>{keys, values}, count, stream);
}

}  // namespace sortie::kernels
