// Starts the engines of a job. A GPU takes a quarter of a second to start, most of it in the driver: it starts on a
// thread of its own, while the calling thread reads ahead. Used by JobAttempt and by plan().
//
//   this thread    | plan | read piece | read piece | ...        | take pieces, form runs ...
//   engine start          | start CUDA, take memory, pin buffers |
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sortie/report.hpp>

#include "base/device_error.hpp"
#include "engine/engine.hpp"
#include "observe/observer.hpp"
#include "pipeline/setup/job_inputs.hpp"
#include "pipeline/setup/job_plan.hpp"

namespace sortie {

struct EnginePool {
  std::vector<std::unique_ptr<Engine>> engines;     ///< at least one when they have started
  std::vector<std::unique_ptr<RunFormer>> formers;  ///< one for each engine; none if no runs are to be formed
  std::string reason;                               ///< why these engines, in a few words
  std::string device_failure;  ///< what a GPU failed with or lacked, if the CPU engine took its place

  std::uint64_t device_budget_bytes() const { return largest_device_budget(engines); }
  /// Fills in what the report says of engines. Precondition: they have started.
  void describe(SortReport& report) const;
};

/// What the engines are started for.
enum class EngineUse { kForm, kMerge, kPlan };

/// What starting the engines of a job needs. References must outlive the start.
struct EngineContext {
  FileSystem& files;
  const SortSpec& spec;
  const InputSizes& sizes;
  JobInputs* inputs;  ///< are read ahead; null unless runs are to be formed of them
  const Machine& machine;
  Observer& observer;
};

/// Decides on engines, starts them into `pool`, and makes the plan of the attempt. To form runs, reads ahead while GPUs
/// start: at most an eighth of the memory and no more than a gigabyte. If a GPU fails, after_failure() says whether the
/// CPU engine takes over. Throws Error; DeviceError if a GPU fails otherwise.
JobPlan start_engines(const EngineContext& context, EngineUse use, EnginePool& pool);

}  // namespace sortie
