// Uploads an array from host memory to one GPU, and holds the host's buffers for both directions. The GPU copies pinned
// memory by itself; other memory goes through a small pinned ring, which several threads fill. array_download.hpp has
// the way back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "device/cuda_stream.hpp"
#include "device/piece_ring.hpp"
#include "device/pinned_memory.hpp"

namespace sortie::cuda {

/// Bytes of a piece on the way back, before packing: long enough for the link's full speed. 8 MiB gave 30.6 GB/s of
/// array, 16 gave 31.8.
inline constexpr std::uint64_t kDownloadPieceBytes = 16 << 20;

class HostArrayLink {
 public:
  /// Uses the current device. `links`: how many GPUs copy to the host's memory at the same time.
  explicit HostArrayLink(unsigned threads, std::size_t links = 1) : threads_(threads), links_(links) {}

  /// Queues the copy in `stream`. Pinned `source` must stay as it is until the stream has done this; other memory has
  /// been copied aside on return.
  void upload(std::span<const std::byte> source, std::byte* target, const CudaStream& stream);

  /// Whether numbers come back packed. That takes threads enough to unpack them sooner than they would travel unpacked,
  /// and spare bandwidth of the host's memory, which packed bytes cross two times more. Two links use all of it by
  /// themselves.
  bool unpacks() const { return threads_ >= kLeastUnpackThreads && links_ == 1; }

  /// Pinned buffers for an ArrayDownload, made when they are first asked for.
  std::span<std::byte> landing_memory();
  /// Pinned memory for 2 * `count` numbers of lines, one for each packed piece, which the device writes.
  std::span<std::uint32_t> line_memory(std::uint64_t count);

 private:
  static constexpr unsigned kLeastUnpackThreads = 4;

  unsigned threads_;
  std::size_t links_;
  std::optional<PieceRing> ring_;  ///< made when memory comes that is not pinned
  PinnedBuffer landing_;
  PinnedBuffer lines_;
};

}  // namespace sortie::cuda
