// The way of an array from host memory to one GPU, and the host's memory for both ways. Pinned memory is copied by the
// GPU itself; other memory goes through a small pinned ring, which several threads fill. The way back:
// array_download.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "device/cuda_stream.hpp"
#include "device/pinned_buffer.hpp"
#include "engine/gpu/staging/piece_ring.hpp"

namespace sortie::gpu {

/// Bytes of a piece on the way back that is not packed: long enough for the link's full speed. With 8 MiB, 30.6 GB/s of
/// array where 16 gave 31.8.
inline constexpr std::uint64_t kDownloadPieceBytes = 16 << 20;

class HostArrayLink {
 public:
  /// Uses the device that is current. `links`: of all GPUs that copy to the host's memory at the same time.
  explicit HostArrayLink(unsigned threads, std::size_t links = 1) : threads_(threads), links_(links) {}

  /// Queues the copy in `stream`. Pinned `source` must stay as it is until the stream has done it; other
  /// memory is copied aside on return.
  void upload(std::span<const std::byte> source, std::byte* target, const CudaStream& stream);

  /// Host threads that fill and empty buffers.
  unsigned threads() const { return threads_; }

  /// Whether numbers come back packed: with threads enough to unpack them sooner than they would travel as they are,
  /// and room in the host's memory, which what is packed crosses two times more. Two links fill it by themselves.
  bool unpacks() const { return threads_ >= kLeastUnpackThreads && links_ == 1; }

  /// Pinned buffers for an ArrayDownload, made when they are first asked for.
  std::span<std::byte> landing_memory();
  /// Pinned memory for two times `count` numbers of lines of packed pieces, which the device writes.
  std::span<std::uint32_t> line_memory(std::uint64_t count);

 private:
  static constexpr unsigned kLeastUnpackThreads = 4;

  unsigned threads_;
  std::size_t links_;
  std::optional<PieceRing> ring_;  ///< made when memory comes that is not pinned
  PinnedBuffer landing_;
  PinnedBuffer lines_;
};

}  // namespace sortie::gpu
