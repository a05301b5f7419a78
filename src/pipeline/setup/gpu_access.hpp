// The door to CUDA: what the pipeline knows of GPUs before it starts them, and how it starts them.
#pragma once

#include <optional>
#include <string>

#include <sortie/sort.hpp>

#include "pipeline/setup/engine_choice.hpp"

namespace sortie {

/// GPUs by way of CUDA, if the GPU module is there. Touches no GPU, and does not load the module.
GpuAccess cuda_access();

/// Number of threads that a job may run at a time beside those that its loops share: some for each GPU.
unsigned own_thread_count(const GpuAccess& gpus);

/// The GPUs to show to CUDA, so that it starts only those decided on. Nothing if it sees no other, if no GPU is used,
/// or if the number of GPUs is unknown. `setting`: value of CUDA_VISIBLE_DEVICES. `installed`: number of GPUs, 0 if
/// unknown.
std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options,
                                         const std::optional<std::string>& setting, unsigned installed);

/// The same for this environment and machine.
std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options);

}  // namespace sortie
