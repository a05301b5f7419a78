// Merges ranges of records that need not be in order: the least of the first records that are left comes next, until
// none is left. Of ranges in order that gives what every merge gives; of others what GNU sort gives. Used for windows
// of --merge whose inputs are not sorted, or not by their bytes.
#pragma once

#include <memory>
#include <span>

#include "engine/host_windows.hpp"
#include "pipeline/records/exact_order.hpp"

namespace sortie {

/// Among equal keys, an earlier range comes first. On the calling thread. Waits for memory of `windows`, which must
/// outlive the result.
std::unique_ptr<MergedWindow> merge_heads(const ExactOrder& order, std::span<const std::span<const std::byte>> ranges,
                                          HostWindows& windows);

}  // namespace sortie
