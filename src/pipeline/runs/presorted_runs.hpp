// Takes inputs that are sorted already as runs, for --merge.
#pragma once

#include <string>
#include <vector>

#include "io/file.hpp"
#include "observe/observer.hpp"
#include "pipeline/runs/run_formation.hpp"
#include "pipeline/runs/run_store.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

/// Throws Error if an input cannot be opened, as far as that can be tried: what a pipe gives is given once.
void check_presorted_inputs(FileSystem& files, const std::vector<std::string>& paths);

/// One run per input that is not empty (seldom more, in order), and the totals of all. Throws Error that names input
/// and record if one is out of order.
FormedRuns take_presorted_runs(FileSystem& files, InputOpener& opener, const ResolvedOptions& resolved,
                               const MemoryPlan& plan, RunStore& store, RecordTotals& totals, Observer& observer);

}  // namespace sortie
