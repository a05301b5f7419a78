#include "pipeline/engine_choice.hpp"

#include <sortie/error.hpp>

#include "engine/cpu/cpu_engine.hpp"
#ifdef SORTIE_CUDA
#include "device/device_info.hpp"
#include "engine/gpu/gpu_engine.hpp"
#endif

namespace sortie {
namespace {

std::vector<std::unique_ptr<Engine>> cpu_engines(const SortOptions& options) {
  std::vector<std::unique_ptr<Engine>> engines;
  engines.push_back(make_cpu_engine(options.format));
  return engines;
}

#ifdef SORTIE_CUDA

// Starting CUDA takes as long as the CPU engine needs for about this much.
constexpr std::uint64_t kLeastGpuBytes = std::uint64_t{256} << 20;

std::vector<int> usable_devices(const SortOptions& options, std::string& reason) {
  const DeviceList list = list_devices();
  reason = list.reason;
  std::vector<int> usable;
  for (const DeviceInfo& device : list.devices) usable.push_back(device.number);
  if (options.devices.empty()) return usable;
  for (const int wanted : options.devices) {
    if (std::find(usable.begin(), usable.end(), wanted) == usable.end()) {
      throw Error("no GPU number " + std::to_string(wanted) + " is usable here; " +
                  (reason.empty() ? std::to_string(usable.size()) + " are, counted from 0" : reason));
    }
  }
  return options.devices;
}

std::vector<std::unique_ptr<Engine>> gpu_engines(const SortOptions& options, const std::vector<int>& devices,
                                                 unsigned threads) {
  std::vector<std::unique_ptr<Engine>> engines;
  engines.reserve(devices.size());
  for (const int device : devices) {
    engines.push_back(make_gpu_engine(
        options.format, GpuEngineOptions{device, options.device_memory_bytes, options.algorithm, threads}));
  }
  return engines;
}

#endif

}  // namespace

#ifdef SORTIE_CUDA

std::vector<std::unique_ptr<Engine>> choose_engines(const SortOptions& options,
                                                    std::optional<std::uint64_t> input_bytes, unsigned threads) {
  const bool asked = options.engine == EngineChoice::kGpu;
  if (options.engine == EngineChoice::kCpu || (!asked && input_bytes.value_or(kLeastGpuBytes) < kLeastGpuBytes)) {
    return cpu_engines(options);
  }
  std::string reason;
  const std::vector<int> devices = usable_devices(options, reason);
  if (!devices.empty()) return gpu_engines(options, devices, threads);
  if (asked) throw Error("no GPU can be used: " + reason + "; use --engine=cpu");
  return cpu_engines(options);
}

#else

std::vector<std::unique_ptr<Engine>> choose_engines(const SortOptions& options, std::optional<std::uint64_t>,
                                                    unsigned) {
  if (options.engine == EngineChoice::kGpu) {
    throw Error("this sortie was built without CUDA; use --engine=cpu, or build it where nvcc is installed");
  }
  return cpu_engines(options);
}

#endif

std::uint64_t host_record_overhead(const Format& format) {
  return format.kind == RecordKind::kArray ? format.record_bytes : 16;
}

}  // namespace sortie
