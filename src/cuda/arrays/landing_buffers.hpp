// Pinned buffers in which pieces land on their way from the device to memory of the host, and the threads that empty
// them meanwhile. Used by ArrayDownload.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <span>

#include "device/device_thread.hpp"

namespace sortie::cuda {

class LandingBuffers {
 public:
  /// With 6, one piece in 40 found no buffer free and went straight: 2^31 u64 on an H200 with 16 cores, 31.8 GB/s
  /// instead of 32.0.
  static constexpr unsigned kCount = 10;

  /// `memory` is divided among the buffers, and theirs while this lives.
  LandingBuffers(std::span<std::byte> memory, int device);
  /// Waits until all that was given back is empty.
  ~LandingBuffers();
  LandingBuffers(const LandingBuffers&) = delete;
  LandingBuffers& operator=(const LandingBuffers&) = delete;

  /// Whether take() would not have to wait.
  bool has_free() const;
  /// The next buffer in turn, when it is empty. Rethrows what emptying it threw.
  std::span<std::byte> take();

  /// Gives back the buffer taken longest ago: `work` empties it, in the team of the calling thread. Does not wait.
  void empty(std::function<void()> work);

  /// Waits until all are empty. Rethrows what emptying them threw.
  void wait();

 private:
  static constexpr unsigned kLanes = 2;

  std::span<std::byte> memory_;
  std::array<std::future<void>, kCount> emptied_;
  std::uint64_t taken_ = 0;
  std::uint64_t given_back_ = 0;
  /// Two, so that the threads find work in the next buffer while the last of them are busy with one.
  std::array<DeviceThread, kLanes> lanes_;
};

}  // namespace sortie::cuda
