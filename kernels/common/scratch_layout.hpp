// Divides a scratch area into arrays, each aligned to 256 bytes. The same calls give the size of an area and, later,
// the position of each array in it; so the two cannot disagree. Here is also the memory that the tiles of a prefix sum
// share (look_back.cuh computes the sum).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/size.hpp"

namespace sortie::kernels {

class ScratchLayout {
 public:
  /// Without an area it only adds up sizes, and the pointers that take() returns must not be used.
  explicit ScratchLayout(void* area = nullptr) : area_(static_cast<std::byte*>(area)) {}

  template <class T>
  T* take(std::uint64_t count) {
    const std::uint64_t offset = size_bytes_;
    size_bytes_ += round_up(count * sizeof(T), 256);
    return area_ == nullptr ? nullptr : reinterpret_cast<T*>(area_ + offset);
  }

  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  std::byte* area_;
  std::uint64_t size_bytes_ = 0;
};

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
