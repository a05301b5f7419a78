// What becomes of a sort whose GPU fails: it is done again with less of the GPU, and in the end without.
#pragma once

#include <sortie/sort.hpp>

#include "io/file.hpp"
#include "pipeline/setup/gpu_access.hpp"

namespace sortie {

/// Writes the statistics too, if the options ask for them.
/// Runs the sort. If a GPU runs out of memory it begins anew with a smaller --device-memory, then, as after any other
/// failure of a GPU, with the CPU engine; the report's device_failure has the failure. Not if the inputs cannot be
/// read twice, or if part of the output has gone to a pipe: then the failure is the caller's. A GPU that was asked for
/// and is too full to begin with is the caller's, too. Throws Error.
SortReport sort_with_fallback(FileSystem& files, const SortOptions& options, const GpuAccess& gpus = cuda_access());

}  // namespace sortie
