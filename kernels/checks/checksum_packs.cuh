// Checksums of items that fill 16 bytes, alone or together. Each thread loads packs of 16 bytes and hashes them in
// registers, without shared memory. For numbers, and records of 8 and 16 bytes.
//
// An Item is a policy: Item::Value is the type of one item, and Item::hash(value) returns its hash.
#pragma once

#include <cstdint>

#include "kernels/checks/checksum_sum.cuh"
#include "kernels/common/launch.hpp"

namespace sortie::kernels {

inline constexpr unsigned kPackThreads = 256;
inline constexpr unsigned kPackBlocksPerMultiprocessor = 8;
inline constexpr unsigned kPacksAtOnce = 4;  ///< packs that a thread has under way

template <class Value>
struct alignas(16) ItemPack {
  static constexpr unsigned kItems = 16 / sizeof(Value);
  Value items[kItems];
};

template <class Item>
__global__ void __launch_bounds__(kPackThreads)
    pack_checksum_kernel(const typename Item::Value* items, std::uint64_t count, const __grid_constant__ Item item,
                         Checksum* sum) {
  using Pack = ItemPack<typename Item::Value>;
  const auto* packs = reinterpret_cast<const Pack*>(items);
  const std::uint64_t pack_count = count / Pack::kItems;
  const std::uint64_t tile_stride = std::uint64_t{gridDim.x} * kPackThreads * kPacksAtOnce;
  Checksum own;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * kPackThreads * kPacksAtOnce + threadIdx.x; first < pack_count;
       first += tile_stride) {
    Pack loaded[kPacksAtOnce];
#pragma unroll
    for (unsigned k = 0; k < kPacksAtOnce; ++k) {
      if (first + k * kPackThreads < pack_count) loaded[k] = packs[first + k * kPackThreads];
    }
#pragma unroll
    for (unsigned k = 0; k < kPacksAtOnce; ++k) {
      if (first + k * kPackThreads >= pack_count) break;
#pragma unroll
      for (const auto& value : loaded[k].items) add(own, item.hash(value));
    }
  }
  // Less than a pack is left.
  const std::uint64_t rest = pack_count * Pack::kItems + threadIdx.x;
  if (blockIdx.x == 0 && rest < count) add(own, item.hash(items[rest]));
  add_from_block<kPackThreads>(own, sum);
}

template <class Item>
void launch_pack_checksum(const typename Item::Value* items, std::uint64_t count, const Item& item, Checksum* sum,
                          cudaStream_t stream) {
  if (count == 0) return;
  const std::uint64_t tile_items = kPackThreads * kPacksAtOnce * ItemPack<typename Item::Value>::kItems;
  const unsigned grid = persistent_grid(divide_up(count, tile_items), kPackBlocksPerMultiprocessor);
  pack_checksum_kernel<<<grid, kPackThreads, 0, stream>>>(items, count, item, sum);
  check_launch("checksum kernel");
}

}  // namespace sortie::kernels
