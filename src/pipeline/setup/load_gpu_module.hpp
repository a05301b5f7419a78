// Loads the GPU engine's module, libsortie_gpu.so, when a GPU has been chosen. module_file.hpp says where it is looked
// for.
#pragma once

#include <string>

#include "engine/device_functions.hpp"
#include "engine/gpu_module.hpp"

namespace sortie {

/// Whether there is a module, without loading it.
bool has_gpu_module();

/// The message for the case that there is no module, without a remedy.
std::string no_gpu_module();

struct LoadedGpus {
  const Gpus* gpus = nullptr;
  std::string reason;  ///< why there are none; empty if there are
  const DeviceFunctions* device_functions = nullptr;
};

/// Loads the module for good, or says why it cannot be had: it is missing, of another version, or no library.
/// Thread-safe.
LoadedGpus load_gpu_module();

/// The same for a module in `file`.
LoadedGpus load_gpu_module(const std::string& file);

}  // namespace sortie
