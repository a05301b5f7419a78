// The device memory that the tiles of a one-pass prefix sum share (chained_scan.cuh computes the sum).
#pragma once

#include <cstdint>

#include "kernels/common/scratch_layout.hpp"

namespace sortie::kernels {

/// Device memory that the tiles of one scan share; all zero at the start. A scan carries `columns` sums side by side.
struct ScanState {
  std::uint32_t* tile_counter;
  std::uint64_t* status;  ///< column c and tile t use status[c * tile_count + t]
  std::uint64_t size_bytes;
};

inline ScanState scan_state(ScratchLayout& layout, std::uint64_t tile_count, unsigned columns = 1) {
  const std::uint64_t before = layout.size_bytes();
  ScanState state{};
  state.tile_counter = layout.take<std::uint32_t>(1);
  state.status = layout.take<std::uint64_t>(tile_count * columns);
  state.size_bytes = layout.size_bytes() - before;
  return state;
}

}  // namespace sortie::kernels
