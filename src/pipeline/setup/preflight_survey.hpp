// Gathers what preflight() compares: what a sort will need, as far as its plan tells, and what file systems and limits
// have to give. Called by SortJob and plan().
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
  std::optional<std::uint64_t> input_bytes;   ///< as they are read; nothing if unknown
  std::optional<std::uint64_t> sorted_bytes;  ///< while they are sorted, by estimate
  std::uint64_t run_bytes = 0;                ///< of records in a run; 0 if unknown
  bool keeps_runs = false;                    ///< all of them are files, for a checkpoint
};

PreflightNeeds needs_of(const ResolvedOptions& resolved, const MemoryPlan& plan, const SortDemand& demand);

/// Asks file systems for nothing that `needs` do without. Throws Error if scratch space is needed and cannot be
/// written.
PreflightRoom survey_room(FileSystem& files, const ScratchSpace& scratch, const SortOptions& options,
                          const PreflightNeeds& needs);

}  // namespace sortie
