#include "pipeline/engine_choice.hpp"

#include <filesystem>
#include <utility>

#include <sortie/error.hpp>

#include "engine/cpu/cpu_engine.hpp"
#ifdef SORTIE_CUDA
#include "device/device_info.hpp"
#include "engine/gpu/gpu_engine.hpp"
#include "pipeline/engine_cost.hpp"
#endif

namespace sortie {
namespace {

constexpr char kAsked[] = "as asked";

ChosenEngines cpu_engine(const SortOptions& options, std::string reason) {
  ChosenEngines chosen;
  chosen.engines.push_back(make_cpu_engine(options.format));
  chosen.reason = std::move(reason);
  return chosen;
}

#ifdef SORTIE_CUDA

/// What is known without reading: nothing if one of the inputs is no file.
std::optional<std::uint64_t> file_bytes(const std::vector<std::string>& inputs) {
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

EngineCosts costs_of(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads) {
  EngineCostInput input;
  input.input_bytes = input_bytes ? input_bytes : file_bytes(options.inputs);
  input.record_bytes = options.format.kind == RecordKind::kLines ? 0 : options.format.record_bytes;
  input.threads = threads;
  return estimate_engine_costs(input);
}

ChosenEngines gpu_engines(const SortOptions& options, const std::vector<DeviceInfo>& devices, unsigned threads,
                          DeviceSpanSink& device_spans, std::string reason) {
  ChosenEngines chosen;
  chosen.engines.reserve(devices.size());
  for (const DeviceInfo& device : devices) {
    chosen.engines.push_back(make_gpu_engine(
        options.format,
        GpuEngineOptions{device.number, options.device_memory_bytes, options.algorithm, threads, &device_spans}));
  }
  chosen.reason = std::move(reason);
  return chosen;
}

#endif

}  // namespace

#ifdef SORTIE_CUDA

ChosenEngines choose_engines(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                             DeviceSpanSink& device_spans) {
  if (options.engine == EngineChoice::kCpu) return cpu_engine(options, kAsked);
  const bool asked = options.engine == EngineChoice::kGpu;
  const EngineCosts costs = costs_of(options, input_bytes, threads);
  if (!asked && !costs.gpu_pays()) return cpu_engine(options, describe(costs));
  const DeviceList list = require_devices(options.devices);
  if (!list.devices.empty()) {
    return gpu_engines(options, list.devices, threads, device_spans, asked ? kAsked : describe(costs));
  }
  if (asked) throw Error("no GPU can be used: " + list.reason + "; use --engine=cpu");
  return cpu_engine(options, "no GPU can be used: " + list.reason);
}

#else

ChosenEngines choose_engines(const SortOptions& options, std::optional<std::uint64_t>, unsigned, DeviceSpanSink&) {
  if (options.engine == EngineChoice::kGpu) {
    throw Error("this sortie was built without CUDA; use --engine=cpu, or build it where nvcc is installed");
  }
  return cpu_engine(options, options.engine == EngineChoice::kCpu ? kAsked : "built without CUDA");
}

#endif

std::uint64_t host_record_overhead(const Format& format) {
  return format.kind == RecordKind::kArray ? format.record_bytes : 16;
}

}  // namespace sortie
