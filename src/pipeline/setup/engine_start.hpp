// Gets the engines ready to work. A GPU takes a quarter of a second to start, most of it in the driver. That happens on
// a thread of its own, and meanwhile the first input is read.
//
//   this thread    | decide | read piece | read piece | ...       | take pieces, form runs ...
//   engine start            | start CUDA, take memory, pin buffers |
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "observe/observer.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

struct ReadyEngines {
  std::vector<std::unique_ptr<Engine>> engines;
  std::vector<std::unique_ptr<RunFormer>> formers;  ///< one for each engine; none without a reader
  MemoryPlan plan;
  std::string reason;          ///< why these, in a few words
  std::string device_failure;  ///< what a GPU failed with or lacked, if the CPU engine took its place
};

/// `reader`: that of the input to be sorted; null if sorted inputs are only merged. It holds what is read ahead, at
/// most an eighth of the memory and no more than a gigabyte. The beginning of a pipe is read before the choice, so that
/// a short one starts no GPU. If a GPU fails and the input cannot be read again, the CPU engine takes over, unless a
/// GPU was asked for. Throws Error; DeviceError if a GPU fails otherwise.
ReadyEngines start_engines(FileSystem& files, const ResolvedOptions& resolved, RecordReader* reader,
                           const GpuAccess& gpus, Observer& observer);

}  // namespace sortie
