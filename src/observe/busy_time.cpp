#include "observe/busy_time.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

namespace sortie {

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
  if (intervals_.size() == intervals_.capacity() && !grow()) settle_oldest();
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

void BusyTime::settle_oldest() noexcept {
  const auto keep = intervals_.begin() + static_cast<std::ptrdiff_t>(intervals_.size() / 2);
  for (auto interval = intervals_.begin(); interval != keep; ++interval) settled_ += interval->end - interval->begin;
  settled_until_ = std::prev(keep)->end;
  intervals_.erase(intervals_.begin(), keep);
}

double BusyTime::seconds() const {
  auto busy = settled_;
  for (const Interval& interval : intervals_) busy += interval.end - interval.begin;
  return std::chrono::duration<double>(busy).count();
}

}  // namespace sortie
