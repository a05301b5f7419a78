// Merges ranges of records that need not be in order: takes the least of the ranges' first records again and again
// until none is left. For sorted ranges the result is that of any merge, for others that of GNU sort. Used for windows
// of --merge whose inputs are not sorted, or not by their bytes.
#pragma once

#include <memory>
#include <span>

#include "engine/host_windows.hpp"
#include "pipeline/scan/key_comparison.hpp"

namespace sortie {

/// Among equal keys, an earlier range comes first. Runs on the calling thread. Waits for memory of `windows`, which
/// must outlive the result.
std::unique_ptr<MergedWindow> merge_unsorted(const ExactOrder& order,
                                             std::span<const std::span<const std::byte>> ranges, HostWindows& windows);

}  // namespace sortie
