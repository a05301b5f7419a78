#include "observe/busy_time.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>

namespace sortie {
namespace {

struct ResourceEntry {
  std::string_view name;
  ResourceKind kind;
};

/// In the order of Resource.
constexpr std::array<ResourceEntry, kResourceCount> kResources = {{
    {"starting", ResourceKind::kProcessors},
    {"reading", ResourceKind::kFiles},
    {"making keys", ResourceKind::kProcessors},
    {"H2D", ResourceKind::kDevice},
    {"kernels", ResourceKind::kDevice},
    {"D2H", ResourceKind::kDevice},
    {"sorting", ResourceKind::kProcessors},
    {"keeping runs", ResourceKind::kProcessors},
    {"compression", ResourceKind::kProcessors},
    {"scratch writing", ResourceKind::kFiles},
    {"scratch reading", ResourceKind::kFiles},
    {"merging", ResourceKind::kProcessors},
    {"checking", ResourceKind::kProcessors},
    {"joining", ResourceKind::kProcessors},
    {"output writing", ResourceKind::kFiles},
}};

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

/// In the order of DeviceUnit.
constexpr Resource kUnits[] = {Resource::kUpload, Resource::kKernels, Resource::kDownload};

constexpr std::string_view kQueueWaits[] = {"pass records on", "wait for records", "wait for writer"};

}  // namespace

std::string_view name_of(Resource resource) { return kResources[static_cast<std::size_t>(resource)].name; }

ResourceKind kind_of(Resource resource) { return kResources[static_cast<std::size_t>(resource)].kind; }

std::optional<Resource> resource_named(std::string_view name) {
  const auto* const found = std::ranges::find(kResources, name, &ResourceEntry::name);
  if (found == kResources.end()) return std::nullopt;
  return static_cast<Resource>(found - kResources.begin());
}

std::optional<Resource> resource_of(std::string_view stage) {
  const auto* const entry = std::ranges::find(kStages, stage, &StageEntry::stage);
  if (entry == std::end(kStages)) return std::nullopt;
  return entry->resource;
}

bool hands_over(std::string_view stage) { return std::ranges::count(kQueueWaits, stage) != 0; }

Resource resource_of(DeviceUnit unit) { return kUnits[static_cast<std::size_t>(unit)]; }

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
  if (intervals_.capacity() > 0 || grow()) return insert(intervals_.empty() ? intervals_.begin() : first, {begin, end});
  settled_ += end - begin;
  settled_until_ = end;
}

void BusyTime::insert(std::vector<Interval>::iterator place, Interval interval) noexcept {
  intervals_.insert(place, interval);
  if (intervals_.size() == intervals_.capacity() && !grow()) settle_oldest([](TimePoint, TimePoint) {});
}

bool BusyTime::grow() noexcept {
  if (intervals_.size() >= kMostIntervals) return false;
  try {
    intervals_.reserve(std::max(kFewestIntervals, 2 * intervals_.size()));
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

}  // namespace sortie
