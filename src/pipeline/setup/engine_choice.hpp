// Which engine sorts: the one asked for, or the one that will be done first. That is decided without touching
// CUDA, which takes longer to start than a small sort takes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "base/device_span.hpp"
#include "engine/engine.hpp"

namespace sortie {

struct EngineDecision {
  bool gpu = false;
  std::string reason;        ///< why, in a few words
  std::vector<int> devices;  ///< numbers of the GPUs to use; empty: all
};

struct ChosenEngines {
  std::vector<std::unique_ptr<Engine>> engines;  ///< one, or one per GPU
  std::string reason;                            ///< why these, in a few words
  std::string device_failure;                    ///< what GPUs lack, if the CPU engine took their place
};

/// With less of a GPU's memory than this, and an input that it does not hold, the CPU is as fast.
inline constexpr std::uint64_t kLeastPayingDeviceBytes = 256 << 20;

/// How a sort comes by GPUs: cuda_access() (gpu_access.hpp), or what a test puts in its place.
struct GpuAccess {
  /// Makes the engines that were decided on; the CPU engine if no GPU can be used and --engine does not ask for one.
  /// Throws Error if it does, or if one of --devices cannot be used; DeviceFullError if too little memory is free on
  /// all of them; DeviceError if one fails.
  using Start =
      std::function<ChosenEngines(const SortOptions& options, const EngineDecision& decision,
                                  const EngineDemand& demand, unsigned threads, DeviceSpanSink& device_spans)>;
  Start start;           ///< empty: this build has none
  unsigned visible = 0;  ///< GPUs that CUDA sees, 0 if unknown
};

/// The sizes of the inputs as they are stored, without reading them; nothing if one of them is no file.
std::optional<std::uint64_t> file_bytes(const std::vector<std::string>& inputs);

/// `input_bytes`: nothing if unknown; then the sizes of the input files count, packed as they may be. Throws Error if
/// a GPU is asked for and this build has none.
EngineDecision decide_engine(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                             const GpuAccess& gpus);

/// The engines of a decision; the CPU engine where GPUs are full and the options leave the choice open. `device_spans`
/// outlives them. Throws what GpuAccess::start throws.
ChosenEngines make_engines(const SortOptions& options, const EngineDecision& decision, EngineDemand demand,
                           unsigned threads, DeviceSpanSink& device_spans, const GpuAccess& gpus);

/// The CPU engine, for `reason`.
ChosenEngines cpu_engine(const SortOptions& options, std::string reason);

/// Host bytes that the CPU engine keeps beside each record while it sorts a chunk.
std::uint64_t host_record_overhead(const Format& format);

}  // namespace sortie
