// What a sort can be short of: the wires and processors that its stages keep busy. And how long something was busy when
// several threads or streams may keep it busy at once: the length of the union of their intervals. The statistics keep
// one of these for every resource and phase.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/device_span.hpp"
#include "base/function_ref.hpp"

namespace sortie {

/// One of them is the bottleneck, and the statistics say which.
enum class Resource : std::uint8_t {
  kStarting,  ///< starting the driver of a device, and pinning memory for it
  kReading,
  kKeyMaking,  ///< for lines in an order other than that of their bytes
  kUpload,
  kKernels,
  kDownload,
  kSorting,     ///< on the host
  kRunKeeping,  ///< copying, checksumming and unpacking blocks of runs in memory
  kCompression,
  kScratchWriting,
  kScratchReading,
  kMerging,  ///< on the host
  kChecking,
  kJoining,  ///< on the host, by one thread
  kOutputWriting,
};

inline constexpr std::size_t kResourceCount = 15;

/// "reading", "H2D", "output writing", ...
std::string_view name_of(Resource resource);

/// The resource of that name; nothing if there is none.
std::optional<Resource> resource_named(std::string_view name);

/// What a resource is made of.
enum class ResourceKind : std::uint8_t { kFiles, kProcessors, kDevice };

/// Files stand for disks, pipes and what else is behind them, kDevice for a GPU and its links.
ResourceKind kind_of(Resource resource);

/// What a stage of the pipeline keeps busy; nothing for a stage that the table does not know.
std::optional<Resource> resource_of(std::string_view stage);

Resource resource_of(DeviceUnit unit);

/// Whether in this stage a thread hands records over to another one, or waits for one: it keeps nothing busy.
bool hands_over(std::string_view stage);

/// Without memory for more intervals it keeps fewer. Not thread-safe.
class BusyTime {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// Intervals may come in any order. When as many are kept as there may be, the older half is settled: of an interval
  /// that comes later, only the part after the settled ones counts. An empty or inverted one counts nothing.
  void add(TimePoint begin, TimePoint end) noexcept;

  double seconds() const;

  static constexpr std::size_t kMostIntervals = 4096;

  /// What is told of intervals that do not overlap. It must not throw.
  using Listener = FunctionRef<void(TimePoint begin, TimePoint end)>;

  /// Whether the next interval may settle the older half.
  bool is_nearly_full() const { return intervals_.size() + 1 >= kMostIntervals; }
  /// Settles the older half, and reports its intervals: they will not change any more.
  void settle_oldest(Listener listener) noexcept;
  /// Reports all intervals that are not settled.
  void visit_kept(Listener listener) const;

 private:
  static constexpr std::size_t kFewestIntervals = 16;

  struct Interval {
    TimePoint begin;
    TimePoint end;
  };

  bool grow() noexcept;
  void insert(std::vector<Interval>::iterator place, Interval interval) noexcept;

  std::vector<Interval> intervals_;                 // ascending, none touches the next; if any, with room for one more
  std::chrono::steady_clock::duration settled_{0};  // length of intervals no longer kept
  TimePoint settled_until_ = TimePoint::min();      // their end: nothing before it counts again
};

}  // namespace sortie
