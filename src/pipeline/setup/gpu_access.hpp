// The door to CUDA: what the pipeline knows of GPUs before it starts them, and how it does.
#pragma once

#include <optional>
#include <string>

#include <sortie/sort.hpp>

#include "pipeline/setup/engine_choice.hpp"

namespace sortie {

/// CUDA's, if the GPU module is there. Touches no GPU and does not load the module.
GpuAccess cuda_access();

/// Threads that a job may have at work at a time beside those that its loops share: some for each GPU.
unsigned own_thread_count(const GpuAccess& gpus);

/// The GPUs to show CUDA so that it starts none but those decided on; nothing if it sees no other, if no GPU is used,
/// or if it is not known how many there are. `setting`: of CUDA_VISIBLE_DEVICES. `installed`: GPUs, 0 if unknown.
std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options,
                                         const std::optional<std::string>& setting, unsigned installed);

/// The same for the environment and the machine as they are.
std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options);

}  // namespace sortie
