#include "pipeline/setup/gpu_access.hpp"

#include <algorithm>
#include <numeric>

#include <sortie/error.hpp>

#include "base/thread_team.hpp"
#ifdef SORTIE_CUDA
#include "base/device_error.hpp"
#include "device/device_info.hpp"
#include "device/visible_devices.hpp"
#include "engine/gpu/gpu_engine.hpp"
#endif

namespace sortie {

unsigned own_thread_count(const GpuAccess& gpus) {
  constexpr unsigned kGpusIfUnknown = 2;
  if (!gpus.start) return ThreadTeam::kOwnThreads;
  return ThreadTeam::kOwnThreads * (1 + std::max(gpus.visible, kGpusIfUnknown));
}

#ifdef SORTIE_CUDA

namespace {

ChosenEngines start_gpu_engines(const SortOptions& options, const EngineDecision& decision, const EngineDemand& demand,
                                unsigned threads, DeviceSpanSink& device_spans) {
  const DeviceList list = require_devices(decision.devices);
  if (list.devices.empty()) {
    const std::string reason = "no GPU can be used: " + list.reason;
    if (options.engine == EngineChoice::kGpu) throw Error(reason + "; use the CPU engine");
    return cpu_engine(options, reason);
  }
  ChosenEngines chosen;
  std::string full;
  for (const DeviceInfo& device : list.devices) {
    const GpuEngineOptions engine_options{
        device.number, options.device_memory_bytes, demand, options.algorithm, threads, &device_spans};
    try {
      chosen.engines.push_back(make_gpu_engine(options.format, engine_options));
    } catch (const DeviceFullError& error) {
      full += (full.empty() ? "GPU " : "; GPU ") + std::to_string(device.number) + ": " + error.what();
    }
  }
  if (chosen.engines.empty()) throw DeviceFullError(full);
  chosen.reason = decision.reason + (full.empty() ? "" : "; without " + full);
  return chosen;
}

}  // namespace

GpuAccess cuda_access() {
  return {start_gpu_engines, visible_device_count(visible_devices_setting(), installed_device_count())};
}

std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options,
                                         const std::optional<std::string>& setting, unsigned installed) {
  if (!decision.gpu || decision.devices.empty()) return std::nullopt;
  if (decision.devices.size() >= visible_device_count(setting, installed)) return std::nullopt;
  std::vector<int> wanted = decision.devices;
  std::ranges::sort(wanted);
  const std::optional<std::string> visible = narrowed_setting(setting, installed, wanted);
  if (!visible) return std::nullopt;
  NarrowedDevices narrowed{*visible, options.devices};
  std::iota(narrowed.devices.begin(), narrowed.devices.end(), 0);
  return narrowed;
}

std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options) {
  return narrow_to(decision, options, visible_devices_setting(), installed_device_count());
}

#else

GpuAccess cuda_access() { return {}; }

std::optional<NarrowedDevices> narrow_to(const EngineDecision&, const SortOptions&, const std::optional<std::string>&,
                                         unsigned) {
  return std::nullopt;
}

std::optional<NarrowedDevices> narrow_to(const EngineDecision&, const SortOptions&) { return std::nullopt; }

#endif

}  // namespace sortie
