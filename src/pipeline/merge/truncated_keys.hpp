// Ranks blocks whose first keys are cut off in the index and equal as far as they go, before the windows of a merge are
// planned. Long keys cost no more memory than short ones: the records are read, and only their rank is kept. Used by
// merge_runs().
#pragma once

#include <span>

#include "record/record_order.hpp"
#include "run/run.hpp"

namespace sortie {

/// Appends a rank of eight bytes to cut first keys that tie with each other, so that compare_first_keys() decides
/// between blocks of these runs (and of no others). Reads each of these blocks once; holds a few first records of every
/// run at a time. Parallel.
void resolve_truncated_keys(const RecordOrder& order, std::span<Run> runs);

}  // namespace sortie
