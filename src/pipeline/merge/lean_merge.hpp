// A merge of inputs record by record, with one buffer for each and none for windows: for records so long that memory is
// short. Used by SortedInputsMerge.
#pragma once

#include <deque>

#include "pipeline/merge/buffered_input.hpp"
#include "pipeline/merge/window_pipeline.hpp"

namespace sortie {

/// Merges what is left of `inputs`, which become lean, until all are read or `consumer` has enough. Returns false if
/// memory is short before that and there are more than two inputs: then what has been merged is passed on, and the
/// inputs hold the rest. Throws Error as reading does, and whatever `consumer` throws. O(n log k) comparisons.
bool merge_lean(const ExactOrder& order, std::deque<BufferedInput>& inputs, const Resources& resources,
                const MergedConsumer& consumer);

}  // namespace sortie
