// The way of an array between host memory and one GPU. Pinned memory is copied by the GPU itself; other
// memory goes through a small pinned ring, which several threads fill or empty.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "device/cuda_event.hpp"
#include "device/cuda_stream.hpp"
#include "device/pinned_buffer.hpp"
#include "engine/gpu/piece_ring.hpp"

namespace sortie::gpu {

class HostArrayLink {
 public:
  /// Uses the device that is current.
  explicit HostArrayLink(unsigned threads) : threads_(threads) {}

  /// Queues the copy in `stream`. Pinned `source` must stay as it is until the stream has done it; other
  /// memory is copied aside on return.
  void upload(std::span<const std::byte> source, std::byte* target, const CudaStream& stream);

  /// The same the other way round. Pinned `target`: queued. Else it waits for `source` and copies.
  void download(const std::byte* source, std::span<std::byte> target, const CudaStream& stream);

 private:
  void download_through_ring(const std::byte* source, std::span<std::byte> target, const CudaStream& stream);

  unsigned threads_;
  std::optional<PieceRing> ring_;  ///< made when memory comes that is not pinned
  PinnedBuffer parts_;             ///< two parts, likewise
  std::array<CudaEvent, 2> copied_;
};

}  // namespace sortie::gpu
