// Cuts a window into sub-windows of about equal size that can be merged independently, at bounds that
// are exact whatever the keys: a bound is a record with its place (key K, range r, offset p), and cuts
// range i after K if i < r, before K if i > r, and at p if i = r. So equal keys keep their order and
// cannot unbalance the sub-windows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "record/record_order.hpp"

namespace sortie {

/// A sorted range of one run.
using RunRange = std::span<const std::byte>;

/// Row w and row w + 1 hold the offsets in each range where sub-window w begins and ends. `wanted` >= 1
/// sub-windows; there may be fewer.
std::vector<std::vector<std::size_t>> split_window(const RecordOrder& order, std::span<const RunRange> ranges,
                                                   std::size_t wanted);

}  // namespace sortie
