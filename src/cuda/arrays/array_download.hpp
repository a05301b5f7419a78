// Brings sorted numbers from one GPU into an array of the host. Several pieces are queued at any time, so that the link
// is never idle. A piece goes packed (kernels/pack_sorted.hpp) while the host's threads keep up with unpacking;
// otherwise it goes as it is, straight to its position. So link and threads share the work by their speeds, whatever
// these are.
//
//   link      | packed 0 | packed 1 | packed 2 | 3 as it is   | packed 4 | ...
//   threads              | unpack 0    | unpack 1    | unpack 2    | unpack 4 ...
//
// Memory that is not pinned is reached through the buffers alone: pieces that are not packed are copied out of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cuda/arrays/host_array_link.hpp"
#include "cuda/arrays/landing_buffers.hpp"
#include "device/cuda_stream.hpp"
#include "kernels/number_codec.hpp"

namespace sortie::cuda {

/// Sorted numbers on the device, and the same packed in pieces of kDownloadPieceBytes.
struct DevicePart {
  const std::byte* numbers = nullptr;
  const std::byte* packed = nullptr;     ///< where pack_sorted() put them; null: not packed
  std::span<const std::uint32_t> lines;  ///< one number for each packed piece
};

class ArrayDownload {
 public:
  /// Downloads to `target`, in `stream` of `device`. `link` and `stream` must outlive this.
  ArrayDownload(const kernels::NumberOrder& order, std::span<std::byte> target, HostArrayLink& link, int device,
                const CudaStream& stream);

  /// Sends the next `count` numbers. Returns when the last of their copies are queued.
  void send(const DevicePart& part, std::uint64_t count);

  /// Waits until all numbers are where they belong.
  void finish();

 private:
  /// Few enough that the next piece's way is chosen late, and enough to keep the link busy meanwhile: 5 gave 31.6 GB/s,
  /// 3 gave 32.0.
  static constexpr std::uint64_t kCopiesQueued = 3;

  enum class Way { kStraight, kThroughBuffer, kPacked };

  struct Copy {
    CudaEvent done;
    Way way = Way::kStraight;
    std::span<std::byte> landed;  ///< where the piece lands in a buffer
    std::span<std::byte> target;
  };

  /// Queues the piece that begins at byte `begin` of the part. It is packed if fewer bytes are sent than `target` has.
  void queue(const DevicePart& part, std::uint64_t begin, std::uint64_t sent_bytes, std::span<std::byte> target);
  void settle_oldest();

  kernels::NumberOrder order_;
  std::span<std::byte> target_;  ///< the rest, for which no copy is queued yet
  bool is_pinned_;
  const CudaStream& stream_;
  std::array<Copy, kCopiesQueued> copies_;
  std::uint64_t queued_ = 0;
  std::uint64_t settled_ = 0;
  std::optional<LandingBuffers> buffers_;  ///< none if pieces can only go straight
};

}  // namespace sortie::cuda
