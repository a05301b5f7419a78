// Cuts sorted ranges in two at a common record, for windows that the device cannot take whole. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "record/record_order.hpp"

namespace sortie::gpu {

using SortedRanges = std::vector<std::span<const std::byte>>;

/// Range i of `low` and range i of `high` make up range i of what was split.
struct RangeSplit {
  SortedRanges low;
  SortedRanges high;
};

/// Splits at the middle record m of the longest range r that has more than one: what merges before m goes
/// low, m and the rest high, so that merging both in turn merges all. Range i < r is cut at upper_bound(m),
/// i > r at lower_bound(m): equal keys keep the order of their ranges. Nothing if no range has two records.
/// O(K log n) comparisons.
std::optional<RangeSplit> split_ranges(const RecordOrder& order, std::span<const std::span<const std::byte>> ranges);

}  // namespace sortie::gpu
