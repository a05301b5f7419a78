// Chooses the engine: the one asked for, or the one that will finish first. Decides without touching CUDA, which takes
// longer to start than a small sort takes.
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

/// With less of a GPU's memory than this, and an input that does not fit there, the CPU is as fast.
inline constexpr std::uint64_t kLeastPayingDeviceBytes = 256 << 20;

/// How a sort gets GPUs: cuda_access() (gpu_access.hpp), or what a test puts in its place.
struct GpuAccess {
  /// Makes the engines that were decided on, or the CPU engine if no GPU can be used and none was asked for. Throws
  /// Error if one was asked for and none can be used, or if one of --devices cannot be used; DeviceFullError if too
  /// little memory is free on all of them; DeviceError if one fails.
  using Start =
      std::function<ChosenEngines(const SortOptions& options, const EngineDecision& decision,
                                  const EngineDemand& demand, unsigned threads, DeviceSpanSink& device_spans)>;
  Start start;           ///< empty: this build has none
  unsigned visible = 0;  ///< number of GPUs that CUDA sees, 0 if unknown
};

/// Total size of the inputs as they are stored, without reading them; nothing if one of them is no regular file.
std::optional<std::uint64_t> file_bytes(const std::vector<std::string>& inputs);

/// If `input_bytes` is unknown, the sizes of the input files count, even if they are packed. Throws Error if a GPU is
/// asked for and this build has none.
EngineDecision decide_engine(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                             const GpuAccess& gpus);

/// Makes the engines of a decision, or the CPU engine if GPUs are full and the options leave the choice open.
/// `device_spans` must outlive them. Throws what GpuAccess::start throws.
ChosenEngines make_engines(const SortOptions& options, const EngineDecision& decision, EngineDemand demand,
                           unsigned threads, DeviceSpanSink& device_spans, const GpuAccess& gpus);

/// The CPU engine, for `reason`.
ChosenEngines cpu_engine(const SortOptions& options, std::string reason);

/// Host bytes that the CPU engine keeps beside each record while it sorts a chunk.
std::uint64_t host_record_overhead(const Format& format);

}  // namespace sortie
