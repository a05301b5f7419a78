// Opens the store of a job's runs as the job's plan says: how much of it lies in memory, how runs are compressed, how
// their files are written. Called by SortJob before runs are formed.
#pragma once

#include <memory>
#include <span>

#include "engine/engine.hpp"
#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "observe/observer.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/plan/preflight.hpp"
#include "pipeline/runs/run_store.hpp"
#include "pipeline/setup/job_inputs.hpp"
#include "pipeline/setup/job_plan.hpp"

namespace sortie {

/// Everything it refers to must outlive the store.
struct StoreMeans {
  FileSystem& files;
  const JobInputs& inputs;
  const JobPlan& plan;
  const RecordOrder& order;
  ScratchSpace& scratch;
  std::span<const std::unique_ptr<Engine>> engines;
  Checkpoint* checkpoint;  ///< null if there is none
  Observer& observer;
};

/// Whether what is written would push all else out of the system's cache. Asks how much memory is free only where that
/// may matter.
bool writes_around_cache(const PreflightNeeds& needs);

/// Warns of what the sort may lack. Throws Error if it cannot succeed.
std::unique_ptr<RunStore> open_job_store(const StoreMeans& means, bool around_cache);

}  // namespace sortie
