#include "kernels/gather_columns.hpp"

#include <algorithm>

#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kColumnThreads = 256;
constexpr unsigned kColumnItems = 4;  ///< so many of a thread are under way together
constexpr unsigned kColumnTile = kColumnThreads * kColumnItems;

/// As an argument of a launch.
struct ColumnBatch {
  GatheredColumn columns[kColumnsAtOnce];
  unsigned count;
};

/// Copies the thread's items, which lie kColumnThreads apart: `left` says how far they go.
template <class Item>
__device__ void gather_items(const void* source, void* target, const std::uint32_t (&positions)[kColumnItems],
                             std::uint64_t first, std::uint64_t left) {
  Item items[kColumnItems];
#pragma unroll
  for (unsigned k = 0; k < kColumnItems; ++k) {
    if (k * kColumnThreads < left) items[k] = static_cast<const Item*>(source)[positions[k]];
  }
#pragma unroll
  for (unsigned k = 0; k < kColumnItems; ++k) {
    if (k * kColumnThreads < left) static_cast<Item*>(target)[first + k * kColumnThreads] = items[k];
  }
}

__global__ void __launch_bounds__(kColumnThreads)
    gather_columns_kernel(const __grid_constant__ ColumnBatch batch, const std::uint32_t* positions,
                          std::uint64_t count) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kColumnTile + threadIdx.x;
  if (first >= count) return;
  const std::uint64_t left = count - first;
  std::uint32_t from[kColumnItems];
#pragma unroll
  for (unsigned k = 0; k < kColumnItems; ++k) {
    from[k] = k * kColumnThreads < left ? positions[first + k * kColumnThreads] : 0;
  }
  for (unsigned c = 0; c < batch.count; ++c) {
    const auto& [source, target, item_bytes] = batch.columns[c];
    switch (item_bytes) {
      case 1:
        gather_items<std::uint8_t>(source, target, from, first, left);
        break;
      case 2:
        gather_items<std::uint16_t>(source, target, from, first, left);
        break;
      case 4:
        gather_items<std::uint32_t>(source, target, from, first, left);
        break;
      case 8:
        gather_items<std::uint64_t>(source, target, from, first, left);
        break;
      default:
        gather_items<uint4>(source, target, from, first, left);
    }
  }
}

}  // namespace

bool is_column(const GatheredColumn& column) {
  const std::size_t bytes = column.item_bytes;
  const bool has_size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
  return has_size && reinterpret_cast<std::uintptr_t>(column.source) % bytes == 0 &&
         reinterpret_cast<std::uintptr_t>(column.target) % bytes == 0;
}

void gather_columns(std::span<const GatheredColumn> columns, const std::uint32_t* positions, std::uint64_t count,
                    cudaStream_t stream) {
  if (count == 0) return;
  for (std::size_t first = 0; first < columns.size(); first += kColumnsAtOnce) {
    ColumnBatch batch{};
    batch.count = static_cast<unsigned>(std::min(kColumnsAtOnce, columns.size() - first));
    std::copy_n(columns.begin() + static_cast<std::ptrdiff_t>(first), batch.count, batch.columns);
    gather_columns_kernel<<<grid_of_tiles(divide_up(count, kColumnTile)), kColumnThreads, 0, stream>>>(batch, positions,
                                                                                                       count);
    check_launch("kernel that gathers columns");
  }
}

}  // namespace sortie::kernels
