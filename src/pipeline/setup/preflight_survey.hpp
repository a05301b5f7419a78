// Gathers what preflight() compares: what a sort will need according to its plan, and what file systems have free.
// Called by SortJob and plan().
#pragma once

#include <cstdint>
#include <optional>

#include "io/file.hpp"
#include "io/scratch.hpp"
#include "pipeline/plan/preflight.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

/// What is to be sorted, and how much of it goes into a run.
struct SortDemand {
  std::optional<std::uint64_t> input_bytes;   ///< size of the inputs as read; nothing if unknown
  std::optional<std::uint64_t> sorted_bytes;  ///< estimated size of the records while they are sorted
  std::uint64_t run_bytes = 0;                ///< records in a run; 0 if unknown
  bool keeps_runs = false;                    ///< all runs are files, for a checkpoint
};

PreflightNeeds needs_of(const ResolvedOptions& resolved, const MemoryPlan& plan, const SortDemand& demand);

/// Asks file systems only about what `needs` contains. Throws Error if scratch space is needed and cannot be written.
PreflightRoom survey_room(FileSystem& files, const ScratchSpace& scratch, const SortOptions& options,
                          const PreflightNeeds& needs);

}  // namespace sortie
