// Where the output of a sort goes: one output, or parts.
#pragma once

#include <memory>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "pipeline/setup/job_inputs.hpp"

namespace sortie {

/// Whether it takes records as RecordForm::kFramed: parts do where bytes alone do not tell where records end, or which
/// keys they have. `format`: that of the records as they are written.
bool needs_frames(const SortOptions& options, const Format& format);

/// Opens it, and tells `inputs` how much memory it takes. `inputs` and `scratch` must outlive it. Throws Error as
/// open_output() and PartsOutput do.
std::unique_ptr<Output> open_job_output(FileSystem& files, JobInputs& inputs, ScratchSpace& scratch);

}  // namespace sortie
