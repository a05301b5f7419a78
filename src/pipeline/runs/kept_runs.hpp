// Opens the runs that a checkpoint keeps, for a sort that is continued. Called by SortJob before any work.
#pragma once

#include <vector>

#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/runs/run_store.hpp"
#include "record/record_order.hpp"

namespace sortie {

struct TakenRuns {
  std::vector<Run> runs;  ///< in the order of the input
  RecordTotals dropped;   ///< duplicates dropped on the way into them
};

/// Checks header and index of every run against each other, the manifest and `order`. Blocks are checked when they are
/// read. Throws Error that names the directory if anything does not fit.
TakenRuns take_kept_runs(Checkpoint& checkpoint, RunStore& store, const RecordOrder& order);

}  // namespace sortie
