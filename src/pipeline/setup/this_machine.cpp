#include "pipeline/setup/this_machine.hpp"

#include <string>

#include <sortie/error.hpp>

#include "base/device_error.hpp"
#include "base/visible_devices.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/load_gpu_module.hpp"

namespace sortie {
namespace {

ChosenEngines start_gpu_engines(const SortOptions& options, const EngineDecision& decision,
                                const EngineWorkload& workload, unsigned threads, DeviceSpanSink& device_spans) {
  LoadedGpus loaded = load_gpu_module();
  UsableGpus usable;
  if (loaded.gpus != nullptr) usable = loaded.gpus->require_devices(decision.devices);
  if (usable.numbers.empty()) {
    const std::string reason = "no GPU can be used: " + (loaded.gpus != nullptr ? usable.reason : loaded.reason);
    if (options.engine == EngineChoice::kGpu) throw Error(reason + "; use the CPU engine", Remedy::kCpuEngine);
    return cpu_engine(options, reason);
  }
  ChosenEngines chosen;
  std::string full;
  for (const int device : usable.numbers) {
    const GpuEngineOptions engine_options{
        device, options.device_memory_bytes, workload, options.algorithm, threads, &device_spans};
    try {
      chosen.engines.push_back(loaded.gpus->make_engine(options.format, engine_options));
    } catch (const DeviceFullError& error) {
      full += (full.empty() ? "GPU " : "; GPU ") + std::to_string(device) + ": " + error.what();
    }
  }
  if (chosen.engines.empty()) throw DeviceFullError(full, Remedy::kCpuEngine);
  chosen.reason = decision.reason + (full.empty() ? "" : "; without " + full);
  return chosen;
}

GpuAccess look_for_gpus() {
  if (!has_gpu_module()) return {};
  return {start_gpu_engines, visible_device_count(visible_devices_setting(), installed_device_count())};
}

}  // namespace

Machine this_machine() { return Machine(look_for_gpus); }

}  // namespace sortie
