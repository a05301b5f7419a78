// What a sort did when, for the picture of it: how busy every resource was, and how much memory and scratch space it
// took. Kept only if a picture is wanted, and in the same amount of memory for a sort of any length. Owned by the
// Observer.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "observe/busy_time.hpp"

namespace sortie {

struct Timeline {
  struct Sample {
    double seconds = 0;               ///< since the sort began
    std::uint64_t memory_bytes = 0;   ///< resident memory of the process, mapped files included; 0 if unknown
    std::uint64_t scratch_bytes = 0;  ///< in scratch files
    double processor_seconds = 0;     ///< of all processors, that the process took since the sort began
  };

  /// Length of a bin. The first one begins with the sort.
  double bin_seconds = 0;
  /// How long each resource was busy within each bin, up to the last bin in which it was. Empty: never.
  std::array<std::vector<double>, kResourceCount> busy_seconds;
  /// In the order of time, the first one at the start of the sort, the last one at its end.
  std::vector<Sample> samples;
  /// Part of the time of all processors of the machine that any program had, 0 to 1; 0 if unknown.
  double machine_share = 0;

  double processor_seconds() const { return samples.empty() ? 0 : samples.back().processor_seconds; }
};

/// How long each resource was busy in each of a number of bins of equal length, which is doubled whenever the time is
/// longer than all bins. Not thread-safe.
class BusyBins {
 public:
  using TimePoint = BusyTime::TimePoint;
  using Duration = TimePoint::duration;

  static constexpr std::size_t kMostBins = 512;

  explicit BusyBins(TimePoint origin);

  /// Precondition: the interval overlaps no earlier one of that resource.
  void add(Resource resource, TimePoint begin, TimePoint end) noexcept;
  /// Empties the resource's bins that begin in an interval.
  void forget(Resource resource, TimePoint begin, TimePoint end) noexcept;

  double bin_seconds() const { return std::chrono::duration<double>(bin_length_).count(); }
  /// As Timeline has them.
  std::array<std::vector<double>, kResourceCount> busy_seconds() const;

 private:
  static constexpr Duration kFirstLength = std::chrono::microseconds(10);

  using Bins = std::vector<Duration>;

  void double_length() noexcept;

  TimePoint origin_;
  Duration bin_length_ = kFirstLength;
  std::array<Bins, kResourceCount> bins_;  // kMostBins each
};

/// Ticks of all processors of the machine since it was started.
struct MachineTicks {
  std::uint64_t busy = 0;
  std::uint64_t all = 0;

  /// Reads the text of /proc/stat.
  static MachineTicks parse(std::string_view text);
};

/// Looks at memory and processor time of the process now and then, when threads come by: it has no thread of its own.
/// Whenever there are kMostSamples, every second one goes, and the time between two is doubled. Thread-safe.
class ProcessSampler {
 public:
  using TimePoint = BusyTime::TimePoint;

  static constexpr std::size_t kMostSamples = 256;

  explicit ProcessSampler(TimePoint origin);

  void set_scratch_bytes(std::uint64_t bytes) noexcept { scratch_bytes_.store(bytes, std::memory_order_relaxed); }
  /// Takes a sample if the last one is long ago. Cheap if it is not.
  void sample_if_due(TimePoint now) noexcept;
  void sample(TimePoint now) noexcept;
  std::vector<Timeline::Sample> samples() const;
  /// As Timeline has it, up to now.
  double machine_share() const;

 private:
  using Rep = TimePoint::rep;

  void thin_out() noexcept;

  const TimePoint origin_;
  const double processor_seconds_before_;
  const MachineTicks machine_before_;
  std::atomic<std::uint64_t> scratch_bytes_{0};
  std::atomic<Rep> next_sample_;
  mutable std::mutex mutex_;  // guards what follows
  TimePoint::duration interval_ = std::chrono::milliseconds(5);
  std::vector<Timeline::Sample> samples_;  // with room for kMostSamples
};

}  // namespace sortie
