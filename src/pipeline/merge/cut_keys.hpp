// Decides between blocks whose first keys the index cuts off alike, before the windows of a merge are
// planned. Keys of any length cost no more memory than short ones: the records are looked at, and only
// their rank is kept.
#pragma once

#include <span>

#include "record/record_order.hpp"
#include "run/run.hpp"

namespace sortie {

/// Appends to cut first keys that tie with each other a rank of eight bytes, so that compare_first_keys()
/// decides between blocks of these runs (and of no others). Reads each of these blocks once; holds a few
/// first records of every run at a time. Parallel.
void resolve_cut_keys(const RecordOrder& order, std::span<Run> runs);

}  // namespace sortie
