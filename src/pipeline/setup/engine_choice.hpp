// Chooses the engine: the one asked for, or the one that will finish first. Decides without touching CUDA, which takes
// longer to start than a small sort takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sortie/options.hpp>

#include "pipeline/setup/machine.hpp"

namespace sortie {

/// With less of a GPU's memory than this, and an input that does not fit there, the CPU is as fast.
inline constexpr std::uint64_t kLeastPayingDeviceBytes = 256 << 20;

/// `input_bytes`: size of the input, nothing if unknown. Asks the machine for its GPUs only if the answer matters: not
/// for an input that is too small for any number of GPUs to pay. Throws Error if a GPU is asked for and there is no GPU
/// module.
EngineDecision decide_engine(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                             const Machine& machine);

/// The CPU engine, for `reason`.
ChosenEngines cpu_engine(const SortOptions& options, std::string reason);

/// Host bytes that the CPU engine keeps beside each record while it sorts a chunk.
std::uint64_t host_record_overhead(const Format& format);

}  // namespace sortie
