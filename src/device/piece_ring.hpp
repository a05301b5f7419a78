// The pinned buffers that input passes through on its way to the device: filled in turn, copied
// asynchronously, filled again once their copy is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device/cuda_stream.hpp"
#include "device/pinned_memory.hpp"

namespace sortie {

class PieceRing {
 public:
  /// Pins piece_count * piece_bytes, touched by `threads` threads, for the current device.
  PieceRing(std::uint64_t piece_bytes, unsigned piece_count, unsigned threads);

  std::uint64_t piece_bytes() const { return piece_bytes_; }
  std::uint64_t total_bytes() const { return memory_.size_bytes(); }

  /// The next buffer, piece_bytes() long: the same one until submit(). Blocks until it is free.
  std::span<std::byte> acquire();

  /// Copies the first `bytes` of the acquired buffer to the device. Asynchronous.
  void submit(std::byte* target, std::size_t bytes, const CudaStream& stream);

 private:
  std::uint64_t piece_bytes_;
  PinnedBuffer memory_;
  std::vector<CudaEvent> copied_;
  std::size_t next_ = 0;
};

}  // namespace sortie
