#include "pipeline/setup/gpu_access.hpp"

#include <algorithm>
#include <numeric>

#include <sortie/error.hpp>

#include "base/thread_team.hpp"
#ifdef SORTIE_CUDA
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

ChosenEngines start_gpu_engines(const SortOptions& options, const EngineDecision& decision, unsigned threads,
                                DeviceSpanSink& device_spans) {
  const DeviceList list = require_devices(decision.devices);
  if (list.devices.empty()) {
    const std::string reason = "no GPU can be used: " + list.reason;
    if (options.engine == EngineChoice::kGpu) throw Error(reason + "; use --engine=cpu");
    return cpu_engine(options, reason);
  }
  ChosenEngines chosen;
  for (const DeviceInfo& device : list.devices) {
    chosen.engines.push_back(make_gpu_engine(
        options.format,
        GpuEngineOptions{device.number, options.device_memory_bytes, options.algorithm, threads, &device_spans}));
  }
  chosen.reason = decision.reason;
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
