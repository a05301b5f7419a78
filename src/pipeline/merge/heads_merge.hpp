// Merges ranges of records that need not be in order: the least of the first records that are left comes next, until
// none is left. Of ranges in order that gives what every merge gives; of others what GNU sort gives. Used for windows
// of --merge with inputs that are not sorted.
#pragma once

#include <memory>
#include <span>

#include "engine/host_windows.hpp"
#include "record/record_order.hpp"

namespace sortie {

/// Among equal keys, an earlier range comes first. On the calling thread. Waits for memory of `windows`, which must
/// outlive the result.
std::unique_ptr<MergedWindow> merge_heads(const RecordOrder& order, std::span<const std::span<const std::byte>> ranges,
                                          HostWindows& windows);

}  // namespace sortie
