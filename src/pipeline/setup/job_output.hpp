// Where the output of a sort goes: one output, or parts.
#pragma once

#include <memory>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "pipeline/setup/job_inputs.hpp"

namespace sortie {

/// Opens it. `inputs` and `scratch` must outlive it. Throws Error as open_output() and PartsOutput do.
std::unique_ptr<Output> open_job_output(FileSystem& files, const JobInputs& inputs, ScratchSpace& scratch);

}  // namespace sortie
