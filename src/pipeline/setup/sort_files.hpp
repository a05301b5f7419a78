// The files that a job names beside its inputs: checks whether they may be written and have room, and opens its
// reports. Called by sort(), plan() and check().
#pragma once

#include <memory>
#include <string>

#include <sortie/options.hpp>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "pipeline/plan/preflight.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

/// Throws Error if a file that the sort would write is also used for something else: see refuse_shared_targets().
void refuse_shared_targets_of_sort(FileSystem& files, const SortOptions& options);

/// The same for check(), which writes nothing but a trace.
void refuse_shared_targets_of_check(FileSystem& files, const SortOptions& options);

/// What file systems have free for a sort. Asks them only about what `needs` contains. Throws Error if scratch space is
/// needed and cannot be written.
PreflightRoom survey_room(FileSystem& files, const ScratchSpace& scratch, const SortOptions& options,
                          const PreflightNeeds& needs);

/// How the output is packed, if its name asks for that.
Packing packing_of(const ResolvedOptions& resolved);

/// Opens the file of the trace, the statistics or the report page, which is not compressed, whatever its suffix; null
/// if `path` is empty. "-" is standard output. Throws Error.
std::unique_ptr<Output> open_report(FileSystem& files, const std::string& path, const SortOptions& options);

}  // namespace sortie
