// Chooses the engine: the one asked for, or the one that will finish first. Decides without touching CUDA, which takes
// longer to start than a small sort takes; makes the engines of this machine. Costs are those in which engines differ:
// reading, checking and writing are the same for both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sortie/options.hpp>

#include "pipeline/setup/machine.hpp"

namespace sortie {

/// With less of a GPU's memory than this, and an input that does not fit there, the CPU is as fast.
inline constexpr std::uint64_t kLeastPayingDeviceBytes = 256 << 20;

struct EngineCostInput {
  std::optional<std::uint64_t> input_bytes;  ///< nothing if unknown
  std::uint64_t record_bytes = 0;            ///< 0 for lines
  unsigned threads = 1;
  unsigned gpus = 1;  ///< available GPUs; 0 counts as 1
};

/// Seconds of sorting that delay the output.
struct EngineCosts {
  double cpu_seconds = 0;
  double gpu_seconds = 0;  ///< starting CUDA on `gpus` included
  unsigned gpus = 1;       ///< number of GPUs with which the sort finishes first

  bool gpu_pays() const { return gpu_seconds < cpu_seconds; }
};

EngineCosts estimate_engine_costs(const EngineCostInput& input);

/// The estimate in a few words, for --plan and --stats: "sorting takes about 2.5 s on the CPU, 0.5 s on a GPU", or
/// "on 2 GPUs".
std::string describe(const EngineCosts& costs);

/// `input_bytes`: size of the input, nothing if unknown. Asks the machine for its GPUs only if the answer matters: not
/// for an input that is too small for any number of GPUs to pay. Throws Error if a GPU is asked for and there is no GPU
/// module.
EngineDecision decide_engine(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                             const Machine& machine);

/// The CPU engine, for `reason`.
ChosenEngines cpu_engine(const SortOptions& options, std::string reason);

/// The GPUs to show to CUDA, so that it starts only those decided on. Returns nothing if CUDA sees no others, if no GPU
/// is used, or if the number of GPUs is unknown. `setting`: value of CUDA_VISIBLE_DEVICES. `installed`: number of GPUs,
/// 0 if unknown.
std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options,
                                         const std::optional<std::string>& setting, unsigned installed);

/// The same for this environment and machine.
std::optional<NarrowedDevices> narrow_to(const EngineDecision& decision, const SortOptions& options);

/// The machine that this process runs on, for all doors but tests. Its GPUs can be used if the GPU module is there.
/// Looking for them touches no GPU and does not load the module.
Machine this_machine();

/// Host bytes that the CPU engine keeps beside each record while it sorts a chunk.
std::uint64_t host_record_overhead(const Format& format);

}  // namespace sortie
