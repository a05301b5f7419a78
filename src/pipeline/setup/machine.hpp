// The machine that a job runs on: what the pipeline knows of its GPUs before it starts them, and how it starts them.
// Looking for them takes a dozen system calls, so a Machine looks once, when a plan has to know.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sortie/sort.hpp>

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
};

/// How a sort gets GPUs: those of this machine, or what a test puts in their place.
struct GpuAccess {
  /// Makes the engines that were decided on, or the CPU engine if no GPU can be used and none was asked for. Throws
  /// Error if one was asked for and none can be used, or if one of --devices cannot be used; DeviceFullError if too
  /// little memory is free on all of them; DeviceError if one fails.
  using Start =
      std::function<ChosenEngines(const SortOptions& options, const EngineDecision& decision,
                                  const EngineWorkload& workload, unsigned threads, DeviceSpanSink& device_spans)>;
  Start start;           ///< empty: there is no GPU module
  unsigned visible = 0;  ///< number of GPUs that CUDA sees, 0 if unknown
};

class Machine {
 public:
  using Look = std::function<GpuAccess()>;

  /// A machine without GPUs.
  Machine() = default;
  Machine(GpuAccess gpus) : gpus_(std::move(gpus)) {}
  /// `look` is called when gpus() is called for the first time.
  explicit Machine(Look look) : look_(std::move(look)) {}

  /// Not thread-safe.
  const GpuAccess& gpus() const {
    if (look_) gpus_ = std::exchange(look_, nullptr)();
    return gpus_;
  }

 private:
  mutable Look look_;  // empty when it has been called
  mutable GpuAccess gpus_;
};

}  // namespace sortie
