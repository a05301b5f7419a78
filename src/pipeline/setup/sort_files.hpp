// The files that a job names beside its inputs: checks whether they may be written and have room, and opens its
// output. Called by jobs and by plan().
#pragma once

#include <memory>
#include <string>

#include <sortie/options.hpp>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "pipeline/parts/part_list.hpp"
#include "pipeline/plan/preflight.hpp"
#include "pipeline/setup/job_inputs.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {

/// Throws Error if a file that the sort would write is also used for something else: see refuse_shared_targets().
void refuse_shared_targets_of_sort(FileSystem& files, const SortOptions& options);

/// The same for check(), which writes nothing but a trace.
void refuse_shared_targets_of_check(FileSystem& files, const SortOptions& options);

/// What file systems have free for a sort. Asks them only about what `needs` contains. Throws Error if scratch space is
/// needed and cannot be written.
PreflightSpace survey_room(FileSystem& files, const ScratchSpace& scratch, const SortOptions& options,
                           const PreflightEstimate& needs);

/// How the output is packed, if its name asks for that.
Packing packing_of(const SortSpec& spec, const MemoryBudget& budget);

/// Whether parts take records as RecordForm::kFramed: bytes alone do not say where records end, or which keys they
/// have. `format`: that of the records as they are written.
bool parts_need_frames(const SortOptions& options, const Format& format);

/// Whether the output does so.
bool needs_frames(const SortOptions& options, const Format& format);

/// What a list of the files of an output says of all of them.
PartListHead list_head(const SortSpec& spec);

/// Opens the output of a sort: one, or parts; reports to `inputs` how much memory it takes. `inputs` and `scratch` must
/// outlive it. Throws Error as open_output() and PartsOutput do.
std::unique_ptr<Output> open_job_output(FileSystem& files, JobInputs& inputs, ScratchSpace& scratch);

}  // namespace sortie
