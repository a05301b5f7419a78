// What has been found out about records before their part came: a part is made by several threads, and each range is
// checked, and perhaps written, while it is in the cache of the core that made it. Held by the plain finisher.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "record/record_totals.hpp"

namespace sortie {

/// Whole records, at least one.
struct EarlyRange {
  std::span<const std::byte> records;
  RecordTotals totals;
  bool in_order = true;  ///< within the range
  bool is_written = false;
};

class EarlyRanges {
 public:
  /// Thread-safe.
  void add(const EarlyRange& range) {
    const std::scoped_lock lock(mutex_);
    ranges_.push_back(range);
  }

  /// Takes the ranges of `part`, in order; none unless they are all of it. Thread-safe.
  std::vector<EarlyRange> take(std::span<const std::byte> part) {
    std::vector<EarlyRange> taken;
    {
      const std::scoped_lock lock(mutex_);
      const auto end_of_others = std::partition(ranges_.begin(), ranges_.end(),
                                                [&](const EarlyRange& range) { return !lies_in(part, range); });
      taken.assign(end_of_others, ranges_.end());
      ranges_.erase(end_of_others, ranges_.end());
    }
    std::ranges::sort(taken, {}, [](const EarlyRange& range) { return range.records.data(); });
    const std::byte* next = part.data();
    for (const EarlyRange& range : taken) {
      if (range.records.data() != next) return {};
      next += range.records.size();
    }
    return next == part.data() + part.size() ? taken : std::vector<EarlyRange>();
  }

 private:
  static bool lies_in(std::span<const std::byte> part, const EarlyRange& range) {
    return range.records.data() >= part.data() && range.records.data() < part.data() + part.size();
  }

  std::mutex mutex_;
  std::vector<EarlyRange> ranges_;
};

}  // namespace sortie
