#include "pipeline/setup/engine_choice.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <ratio>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/device_error.hpp"
#include "base/visible_devices.hpp"
#include "engine/cpu/cpu_engine.hpp"
#include "pipeline/setup/load_gpu_module.hpp"

namespace sortie {
namespace {

// Processor seconds of `sortie --engine=cpu --verify=off --parallel=1` without those of the system, for 500 MB each:
// ASCII gensort lines 0.58, binary gensort 0.55, u64 3.7. Two constants meet all three within 10%.
constexpr double kCpuSecondsPerRecord = 60e-9;
constexpr double kCpuSecondsPerByte = 0.5e-9;
// A line's length is not known before it is read.
constexpr double kAssumedLineBytes = 64;
// From 1 to 16 threads of one machine, computing gets 16 times as fast and copying 4.6 times (12 to 55 GB/s).
// Sorting does both, and gets 9.2 times as fast: so many times with twice the threads.
constexpr double kSpeedOfTwice = 1.741;

// Device count 0.12 s, context 0.12 s, a pinned ring of 1 GiB 0.06 s, loading kernels and filling the pipeline.
constexpr double kGpuStartSeconds = 0.4;
// CUDA starts its GPUs one after another: 0.28 to 0.4 s with one H200, 1.05 to 1.4 s with four.
constexpr double kFurtherGpuStartSeconds = 0.3;
// Transfers to the device hide behind reading, and those back hide behind writing. What is left is about one transfer
// of everything over a PCIe 5 link of 50 GB/s. Every GPU has a link of its own.
constexpr double kGpuSecondsPerByte = 1 / 50e9;

// Assumed for a pipe. With few threads this chooses the GPU, with many the CPU, which a pipe of 2.4 GB/s cannot outrun.
constexpr std::uint64_t kAssumedPipeBytes = 1'000'000'000;

double gpu_seconds(double bytes, unsigned gpus) {
  return kGpuStartSeconds + (gpus - 1) * kFurtherGpuStartSeconds + bytes * kGpuSecondsPerByte / gpus;
}

/// How many times as fast so many threads sort as one does. It is not std::pow(): to load the library of mathematics
/// would take a tenth of the time of a small sort.
double speed_of(unsigned threads) {
  double speed = 1;
  double left = threads;
  for (; left >= 2; left /= 2) speed *= kSpeedOfTwice;
  return speed * (1 + (left - 1) * (kSpeedOfTwice - 1));
}

/// As printf() writes it for "%.1f", without its first use of the C library's arithmetic.
std::string with_tenths(double seconds) {
  using Tenths = std::chrono::duration<std::int64_t, std::deci>;
  const std::int64_t tenths = std::chrono::round<Tenths>(std::chrono::duration<double>(seconds)).count();
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

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

EngineCosts estimate_engine_costs(const EngineCostInput& input) {
  const auto bytes = static_cast<double>(input.input_bytes.value_or(kAssumedPipeBytes));
  const double record_bytes = input.record_bytes == 0 ? kAssumedLineBytes : static_cast<double>(input.record_bytes);
  const double one_thread_seconds = bytes / record_bytes * kCpuSecondsPerRecord + bytes * kCpuSecondsPerByte;
  EngineCosts costs{one_thread_seconds / speed_of(std::max(1U, input.threads)), gpu_seconds(bytes, 1), 1};
  for (unsigned gpus = 2; gpus <= input.gpus && gpu_seconds(bytes, gpus) < costs.gpu_seconds; ++gpus) {
    costs.gpus = gpus;
    costs.gpu_seconds = gpu_seconds(bytes, gpus);
  }
  return costs;
}

std::string describe(const EngineCosts& costs) {
  return "sorting takes about " + with_tenths(costs.cpu_seconds) + " s on the CPU, " + with_tenths(costs.gpu_seconds) +
         " s on " + (costs.gpus == 1 ? "a GPU" : std::to_string(costs.gpus) + " GPUs");
}

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
    throw Error(no_gpu_module() + "; install sortie-gpu, build Sortie where nvcc is installed, or use the CPU engine",
                Remedy::kCpuEngine);
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
  if (!decision.gpu) return std::nullopt;
  return narrow_to(decision, options, visible_devices_setting(), installed_device_count());
}

Machine this_machine() { return Machine(look_for_gpus); }

std::uint64_t host_record_overhead(const Format& format) {
  return format.kind == RecordKind::kArray ? format.record_bytes : 16;
}

}  // namespace sortie
