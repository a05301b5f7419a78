// Keeps the trace of a long sort small. After so many events only every second, then every fourth, ... second
// of the sort is kept, each of them whole, so that what overlaps with what can still be seen.
#pragma once

#include <chrono>
#include <cstdint>

namespace sortie {

/// Not thread-safe.
class TraceSampling {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// Events between doublings; some 6 MB of JSON.
  static constexpr std::uint64_t kEventsPerStride = 50'000;

  /// Whether an event that begins at `begin` after the trace's start is to be kept; counts those that are.
  /// Events as long as a second always are: there can be but few.
  bool keeps(Duration begin, Duration length) {
    const auto second = std::chrono::duration_cast<std::chrono::seconds>(begin).count();
    if (length < std::chrono::seconds(1) && static_cast<std::uint64_t>(second) % stride_ != 0) return false;
    if (++kept_ % kEventsPerStride == 0) stride_ *= 2;
    return true;
  }

  /// One second out of so many is kept now.
  std::uint64_t stride() const { return stride_; }

 private:
  std::uint64_t kept_ = 0;
  std::uint64_t stride_ = 1;
};

}  // namespace sortie
