#include "pipeline/setup/engine_choice.hpp"

#include <numeric>
#include <utility>

#include <sortie/error.hpp>

#include "engine/cpu/cpu_engine.hpp"
#include "pipeline/setup/engine_cost.hpp"
#include "pipeline/setup/load_gpu_module.hpp"

namespace sortie {
namespace {

constexpr char kAsked[] = "as asked";

EngineCosts costs_of(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                     unsigned gpus) {
  EngineCostInput input;
  input.input_bytes = input_bytes;
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

EngineDecision decide_engine(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                             const Machine& machine) {
  if (options.engine == EngineChoice::kCpu) return {false, kAsked, {}};
  const bool asked = options.engine == EngineChoice::kGpu;
  if (!asked) {
    // If not even a second GPU would make up for its start, no further one would.
    const EngineCosts costs = costs_of(options, input_bytes, threads, 2);
    if (costs.gpus == 1 && !costs.gpu_pays()) return {false, describe(costs), {}};
  }
  const GpuAccess& gpus = machine.gpus();
  if (!gpus.start) {
    if (!asked) return {false, "no GPU module", {}};
    throw Error(no_gpu_module() + "; use the CPU engine, or build Sortie where nvcc is installed");
  }
  const EngineCosts costs = costs_of(options, input_bytes, threads, gpus.visible);
  if (!asked && !costs.gpu_pays()) return {false, describe(costs), {}};
  return {true, asked ? kAsked : describe(costs), devices_to_use(options, gpus.visible, costs.gpus)};
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
