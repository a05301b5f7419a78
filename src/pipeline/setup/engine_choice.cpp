#include "pipeline/setup/engine_choice.hpp"

#include <filesystem>
#include <numeric>
#include <utility>

#include <sortie/error.hpp>

#include "base/device_error.hpp"
#include "engine/cpu/cpu_engine.hpp"
#include "pipeline/setup/engine_cost.hpp"
#include "pipeline/setup/load_gpu_module.hpp"

namespace sortie {
namespace {

constexpr char kAsked[] = "as asked";

EngineCosts costs_of(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                     unsigned gpus) {
  EngineCostInput input;
  input.input_bytes = input_bytes ? input_bytes : file_bytes(options.inputs);
  input.record_bytes = options.format.kind == RecordKind::kLines ? 0 : options.format.record_bytes;
  input.threads = threads;
  input.gpus = gpus;
  return estimate_engine_costs(input);
}

/// The devices asked for. Otherwise the first ones that CUDA sees, as many as pay; all if it is unknown how many it
/// sees.
std::vector<int> devices_to_use(const SortOptions& options, unsigned visible, unsigned that_pay) {
  if (!options.devices.empty() || options.all_devices || that_pay >= visible) return options.devices;
  std::vector<int> devices(that_pay);
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

}  // namespace

std::optional<std::uint64_t> file_bytes(const std::vector<std::string>& inputs) {
  if (inputs.empty()) return std::nullopt;
  std::uint64_t total_bytes = 0;
  for (const std::string& path : inputs) {
    std::error_code error;
    if (path == "-" || !std::filesystem::is_regular_file(path, error)) return std::nullopt;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error) return std::nullopt;
    total_bytes += bytes;
  }
  return total_bytes;
}

EngineDecision decide_engine(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                             const GpuAccess& gpus) {
  if (options.engine == EngineChoice::kCpu) return {false, kAsked, {}};
  const bool asked = options.engine == EngineChoice::kGpu;
  if (!gpus.start) {
    if (!asked) return {false, "no GPU module", {}};
    throw Error(no_gpu_module() + "; use the CPU engine, or build Sortie where nvcc is installed");
  }
  const EngineCosts costs = costs_of(options, input_bytes, threads, gpus.visible);
  if (!asked && !costs.gpu_pays()) return {false, describe(costs), {}};
  return {true, asked ? kAsked : describe(costs), devices_to_use(options, gpus.visible, costs.gpus)};
}

ChosenEngines make_engines(const SortOptions& options, const EngineDecision& decision, EngineDemand demand,
                           unsigned threads, DeviceSpanSink& device_spans, const GpuAccess& gpus) {
  if (!decision.gpu) return cpu_engine(options, decision.reason);
  if (options.engine == EngineChoice::kGpu) return gpus.start(options, decision, demand, threads, device_spans);
  if (options.device_memory_bytes == 0) demand.least_share_bytes = kLeastPayingDeviceBytes;
  try {
    return gpus.start(options, decision, demand, threads, device_spans);
  } catch (const DeviceFullError& error) {
    ChosenEngines chosen = cpu_engine(options, error.what());
    chosen.device_failure = error.what();
    return chosen;
  }
}

ChosenEngines cpu_engine(const SortOptions& options, std::string reason) {
  ChosenEngines chosen;
  chosen.engines.push_back(make_cpu_engine(options.format));
  chosen.reason = std::move(reason);
  return chosen;
}

std::uint64_t host_record_overhead(const Format& format) {
  return format.kind == RecordKind::kArray ? format.record_bytes : 16;
}

}  // namespace sortie
