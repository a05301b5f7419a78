// The kernel of a sort of rows, and its launch in the smallest shape that holds a row. For the files that instantiate
// it, which compile beside each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/common/launch.hpp"
#include "kernels/row_sort.hpp"
#include "kernels/rows/row_cuts.cuh"
#include "kernels/rows/row_items.cuh"
#include "kernels/rows/row_team.cuh"

namespace sortie::kernels {

/// Threads of a block of teams that are parts of a warp. Wider teams are blocks.
inline constexpr unsigned kRowThreads = 128;

template <unsigned kThreads>
inline constexpr unsigned kRowBlockThreads = kThreads > 32 ? kThreads : kRowThreads;

/// Blocks of a multiprocessor that registers are left for. Where rows may be sorted twice, the compiler would take more
/// of them for what is rarely done: rows of 1024 uniform keys took 13% longer. 0: as it likes.
template <unsigned kThreads, unsigned kItems, class Items>
constexpr unsigned row_blocks() {
  if (!std::is_same_v<Items, RowCuts>) return 0;
  constexpr unsigned kResident = kItems >= 12 ? 1024 : kItems == 8 ? 1152 : 1280;
  return kResident / kRowBlockThreads<kThreads>;
}

/// Each team sorts a row. A warp or a wide team has a tile of its own in shared memory.
template <unsigned kThreads, unsigned kItems, class Items>
__global__ void __launch_bounds__(kRowBlockThreads<kThreads>, (row_blocks<kThreads, kItems, Items>()))
    sort_rows_kernel(const __grid_constant__ RowArrays<Items> rows) {
  using Tile = typename Items::Tile;
  constexpr BitonicTeam kTeam{kThreads, kItems};
  constexpr unsigned kSharing = kThreads > 32 ? kThreads : 32;  // threads of a tile
  constexpr unsigned kTileItems = padded_items(kSharing * kItems, Tile::kItemBytes);
  extern __shared__ __align__(16) std::byte row_bytes[];
  const unsigned thread = threadIdx.x % kSharing;
  const unsigned lane = threadIdx.x % kThreads;
  const Tile tile = Tile::tile_in(row_bytes + threadIdx.x / kSharing * kTileItems * Tile::kItemBytes, kTileItems);
  const std::uint64_t row =
      std::uint64_t{blockIdx.x} * (kRowBlockThreads<kThreads> / kThreads) + threadIdx.x / kThreads;

  typename Items::Item items[kItems];
  Items form = rows.form;
  if constexpr (std::is_same_v<Items, RowCuts>) {
    form = sort_cut<kTeam>(rows, row, lane, items, tile, thread);
  } else {
    rows.template load<kThreads>(row, lane, items);
    sort_to_tile<kTeam>(items, tile, thread);
    load_from_tile<kTeam>(items, tile, thread / kThreads * kTeam.capacity() + lane);
  }
  rows.template store<kThreads>(row, lane, form, items);
}

template <unsigned kTeamThreads, unsigned kItems, class Items>
void launch_row_sort(const RowArrays<Items>& rows, cudaStream_t stream) {
  constexpr unsigned kStaticBytes = 48 << 10;
  constexpr unsigned kThreads = kRowBlockThreads<kTeamThreads>;
  constexpr unsigned kTiles = kTeamThreads > 32 ? 1 : kThreads / 32;
  constexpr unsigned kItemBytes = Items::Tile::kItemBytes;
  constexpr unsigned kBytes = kTiles * padded_items(kThreads / kTiles * kItems, kItemBytes) * kItemBytes;
  const auto kernel = sort_rows_kernel<kTeamThreads, kItems, Items>;
  if constexpr (kBytes > kStaticBytes) allow_shared_bytes(kernel, kBytes, "shared memory of the kernel of rows");
  const unsigned grid = grid_of_tiles(divide_up(rows.row_count, kThreads / kTeamThreads));
  kernel<<<grid, kThreads, kBytes, stream>>>(rows);
  check_launch("kernel of rows");
}

/// In the first of these that holds a row. 16 items a thread leave registers for as many threads as hide what the
/// exchanges wait for.
template <class Items>
void launch_first_fitting(const RowArrays<Items>& rows, cudaStream_t stream) {
  const auto sorts = [&]<unsigned kThreads, unsigned kItems>() {
    if (rows.row_items > kThreads * kItems) return false;
    launch_row_sort<kThreads, kItems>(rows, stream);
    return true;
  };
  static_cast<void>(sorts.template operator()<2, 4>() || sorts.template operator()<4, 4>() ||
                    sorts.template operator()<8, 4>() || sorts.template operator()<8, 8>() ||
                    sorts.template operator()<16, 8>() || sorts.template operator()<32, 8>() ||
                    sorts.template operator()<32, 12>() || sorts.template operator()<32, 16>() ||
                    sorts.template operator()<64, 12>() || sorts.template operator()<64, 16>() ||
                    sorts.template operator()<128, 16>() || sorts.template operator()<256, 16>());
}

template <class Items>
void sort_rows_as(const RowSort& sort, const Items& form, cudaStream_t stream) {
  using Code = typename Items::Code;
  const RowArrays<Items> rows{sort.source,
                              sort.keys,
                              sort.places,
                              sort.place_bytes,
                              sort.row_count,
                              sort.row_items,
                              sort.order.number.bytes,
                              make_row_codec<Code>(sort.order, sort.place_bytes != 0),
                              form};
  launch_first_fitting(rows, stream);
}

}  // namespace sortie::kernels
