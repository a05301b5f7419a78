#include "observe/busy_time.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>

namespace sortie {
namespace {

constexpr std::array<std::string_view, kResourceCount> kNames = {
    "starting",        "reading",
    "making keys",     "H2D",
    "kernels",         "D2H",
    "sorting",         "keeping runs",
    "compression",     "scratch writing",
    "scratch reading", "merging",
    "checking",        "joining",
    "output writing",
};

struct StageEntry {
  std::string_view stage;
  Resource resource;
};

constexpr StageEntry kStages[] = {
    {"start engine", Resource::kStarting},
    {"prepare buffers", Resource::kStarting},
    {"read", Resource::kReading},
    {"take read-ahead", Resource::kReading},
    {"make keys", Resource::kKeyMaking},
    {"checksum input", Resource::kChecking},
    {"sort", Resource::kSorting},
    {"gather", Resource::kSorting},
    {"select", Resource::kSorting},
    {"drop duplicates", Resource::kChecking},
    {"put keys in front", Resource::kChecking},
    {"combine groups", Resource::kChecking},
    {"keep run", Resource::kRunKeeping},
    {"compress run", Resource::kCompression},
    {"try compression", Resource::kCompression},
    {"write run", Resource::kScratchWriting},
    {"sync run", Resource::kScratchWriting},
    {"read run", Resource::kScratchReading},
    {"load window", Resource::kRunKeeping},
    {"merge", Resource::kMerging},
    {"check output", Resource::kChecking},
    {"cut keys off", Resource::kChecking},
    {"check order", Resource::kChecking},
    {"join", Resource::kJoining},
    {"keep equal keys", Resource::kScratchWriting},
    {"read equal keys", Resource::kScratchReading},
    {"write", Resource::kOutputWriting},
    {"finish output", Resource::kOutputWriting},
};

constexpr std::string_view kQueueWaits[] = {"pass records on", "wait for records", "wait for writer"};

}  // namespace

std::string_view name_of(Resource resource) { return kNames[static_cast<std::size_t>(resource)]; }

std::optional<Resource> resource_named(std::string_view name) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Resource>(found - kNames.begin());
}

ResourceKind kind_of(Resource resource) {
  switch (resource) {
    case Resource::kReading:
    case Resource::kScratchWriting:
    case Resource::kScratchReading:
    case Resource::kOutputWriting:
      return ResourceKind::kFiles;
    case Resource::kUpload:
    case Resource::kKernels:
    case Resource::kDownload:
      return ResourceKind::kDevice;
    case Resource::kStarting:
    case Resource::kKeyMaking:
    case Resource::kSorting:
    case Resource::kRunKeeping:
    case Resource::kCompression:
    case Resource::kMerging:
    case Resource::kChecking:
    case Resource::kJoining:
      break;
  }
  return ResourceKind::kProcessors;
}

std::optional<Resource> resource_of(std::string_view stage) {
  const auto* const entry = std::find_if(std::begin(kStages), std::end(kStages),
                                         [&](const StageEntry& known) { return known.stage == stage; });
  if (entry == std::end(kStages)) return std::nullopt;
  return entry->resource;
}

bool hands_over(std::string_view stage) {
  return std::find(std::begin(kQueueWaits), std::end(kQueueWaits), stage) != std::end(kQueueWaits);
}

Resource resource_of(DeviceUnit unit) {
  switch (unit) {
    case DeviceUnit::kUpload:
      return Resource::kUpload;
    case DeviceUnit::kDownload:
      return Resource::kDownload;
    case DeviceUnit::kKernels:
      break;
  }
  return Resource::kKernels;
}

void BusyTime::add(TimePoint begin, TimePoint end) noexcept {
  begin = std::max(begin, settled_until_);
  if (begin >= end) return;
  const auto first = std::lower_bound(intervals_.begin(), intervals_.end(), begin,
                                      [](const Interval& interval, TimePoint time) { return interval.end < time; });
  const auto last = std::upper_bound(first, intervals_.end(), end,
                                     [](TimePoint time, const Interval& interval) { return time < interval.begin; });
  if (first != last) {
    // All of [first, last) touches the new interval: they become one.
    first->begin = std::min(first->begin, begin);
    first->end = std::max(std::prev(last)->end, end);
    intervals_.erase(std::next(first), last);
    return;
  }
  intervals_.insert(first, {begin, end});
  if (intervals_.size() == intervals_.capacity() && !grow()) settle_oldest([](TimePoint, TimePoint) {});
}

bool BusyTime::grow() noexcept {
  if (intervals_.size() >= kMostIntervals) return false;
  try {
    intervals_.reserve(2 * intervals_.size());
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void BusyTime::settle_oldest(Listener listener) noexcept {
  const auto keep = intervals_.begin() + static_cast<std::ptrdiff_t>(intervals_.size() / 2);
  for (auto interval = intervals_.begin(); interval != keep; ++interval) {
    settled_ += interval->end - interval->begin;
    listener(interval->begin, interval->end);
  }
  settled_until_ = std::prev(keep)->end;
  intervals_.erase(intervals_.begin(), keep);
}

void BusyTime::visit_kept(Listener listener) const {
  for (const Interval& interval : intervals_) listener(interval.begin, interval.end);
}

double BusyTime::seconds() const {
  auto busy = settled_;
  for (const Interval& interval : intervals_) busy += interval.end - interval.begin;
  return std::chrono::duration<double>(busy).count();
}

std::size_t StageTotals::index_of(std::string_view name) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i].name == name) return i;
  }
  stages_.push_back(StageReport{std::string(name), 0, 0});
  return stages_.size() - 1;
}

void StageTotals::add(std::size_t index, std::uint64_t bytes, double seconds) noexcept {
  const std::lock_guard lock(mutex_);
  stages_[index].bytes += bytes;
  stages_[index].busy_seconds += seconds;
}

std::vector<StageReport> StageTotals::stages() const {
  const std::lock_guard lock(mutex_);
  return stages_;
}

}  // namespace sortie
