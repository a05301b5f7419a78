// Moves the items that a selection keeps together, in their order, in one pass, and counts them. A thread looks at a
// few items in a row, a block at a tile; the number of items kept before a tile comes by decoupled look-back. Merrill
// and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/launch.hpp"
#include "kernels/common/look_back.cuh"
#include "kernels/records/gather_plan.hpp"

namespace sortie::kernels {

inline constexpr unsigned kSelectThreads = 256;
inline constexpr unsigned kSelectItems = 8;
inline constexpr unsigned kSelectTile = kSelectThreads * kSelectItems;

/// Copies values of any size one by one, in the largest units that sizes and addresses allow.
struct ValueCopy {
  std::uint64_t bytes = 0;
  unsigned unit_bytes = 1;

  static ValueCopy of(std::uint64_t value_bytes, const void* source, const void* other_source, const void* target) {
    const auto address = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
    return {value_bytes, copy_unit_bytes(value_bytes, address(source) | address(other_source), address(target))};
  }

  __device__ void operator()(const std::byte* source, std::byte* target) const {
    switch (unit_bytes) {
      case 16:
        return copy_units<uint4>(source, target);
      case 8:
        return copy_units<std::uint64_t>(source, target);
      case 4:
        return copy_units<std::uint32_t>(source, target);
      case 2:
        return copy_units<std::uint16_t>(source, target);
      default:
        return copy_units<std::uint8_t>(source, target);
    }
  }

 private:
  template <class Unit>
  __device__ void copy_units(const std::byte* source, std::byte* target) const {
    for (std::uint64_t at = 0; at < bytes; at += sizeof(Unit)) {
      *reinterpret_cast<Unit*>(target + at) = *reinterpret_cast<const Unit*>(source + at);
    }
  }
};

/// A Selection has keeps(i), and move(i, target), which writes item i as number `target` of those kept.
template <class Selection>
__global__ void __launch_bounds__(kSelectThreads)
    compact_items_kernel(const __grid_constant__ Selection selection, std::uint64_t count, const ScanState scan,
                         std::uint64_t* kept_count) {
  __shared__ TileScanStorage<kSelectThreads> storage;
  const unsigned tile = claim_tile(scan.tile_counter);
  const std::uint64_t first = std::uint64_t{tile} * kSelectTile + threadIdx.x * kSelectItems;
  bool kept[kSelectItems];
  unsigned kept_here = 0;
#pragma unroll
  for (unsigned k = 0; k < kSelectItems; ++k) {
    kept[k] = first + k < count && selection.keeps(first + k);
    kept_here += kept[k] ? 1 : 0;
  }
  std::uint64_t target = scan_tile<kSelectThreads>(storage, scan.status, tile, kept_here);
#pragma unroll
  for (unsigned k = 0; k < kSelectItems; ++k) {
    if (kept[k]) selection.move(first + k, target++);
  }
  if (tile + 1 == gridDim.x && threadIdx.x + 1 == kSelectThreads) *kept_count = target;
}

/// The look-back words of a pass over `count` items.
inline ScanState select_scan(ScratchLayout& layout, std::uint64_t count, unsigned columns = 1) {
  return scan_state(layout, divide_up(count, kSelectTile), columns);
}

template <class Selection>
void compact_items(const Selection& selection, std::uint64_t count, std::uint64_t* kept_count, void* scratch,
                   cudaStream_t stream) {
  if (count == 0) {
    check_cuda(cudaMemsetAsync(kept_count, 0, sizeof *kept_count, stream), "clearing the number of items kept");
    return;
  }
  ScratchLayout layout(scratch);
  const ScanState scan = select_scan(layout, count);
  check_cuda(cudaMemsetAsync(scratch, 0, scan.size_bytes, stream), "clearing the words of a selection");
  const unsigned grid = grid_of_tiles(divide_up(count, kSelectTile));
  compact_items_kernel<<<grid, kSelectThreads, 0, stream>>>(selection, count, scan, kept_count);
  check_launch("selection kernel");
}

}  // namespace sortie::kernels
