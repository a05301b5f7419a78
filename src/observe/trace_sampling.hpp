// Keeps the trace of a long sort small. After every kEventsPerStride events it keeps half as many seconds of the sort:
// all, then one in two, one in four, and so on. A second is kept as a whole, so that overlaps stay visible.
#pragma once

#include <chrono>
#include <cstdint>

namespace sortie {

/// Not thread-safe.
class TraceSampling {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// Kept events between doublings of the stride; some 6 MB of JSON.
  static constexpr std::uint64_t kEventsPerStride = 50'000;

  /// Whether to keep an event that begins at `begin` after the trace's start; counts those that are kept. Events as
  /// long as a second are always kept: there can be but few.
  bool keeps(Duration begin, Duration length) {
    const auto second = std::chrono::duration_cast<std::chrono::seconds>(begin).count();
    if (length < std::chrono::seconds(1) && static_cast<std::uint64_t>(second) % stride_ != 0) return false;
    if (++kept_ % kEventsPerStride == 0) stride_ *= 2;
    return true;
  }

  /// One second in so many is kept now.
  std::uint64_t stride() const { return stride_; }

 private:
  std::uint64_t kept_ = 0;
  std::uint64_t stride_ = 1;
};

}  // namespace sortie
