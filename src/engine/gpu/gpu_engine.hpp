// The GPU engine: one per device. Forms runs and merges windows with the kernels of this repository, and
// gives the same bytes as the CPU engine.
#pragma once

#include <cstdint>
#include <memory>

#include <sortie/format.hpp>
#include <sortie/options.hpp>

#include "base/device_span.hpp"
#include "engine/engine.hpp"

namespace sortie {

struct GpuEngineOptions {
  int device = 0;                         ///< CUDA's number
  std::uint64_t device_memory_bytes = 0;  ///< ceiling; 0: none
  EngineDemand demand;
  Algorithm algorithm = Algorithm::kAuto;
  unsigned threads = 1;                    ///< for touching pinned memory
  DeviceSpanSink* device_spans = nullptr;  ///< takes the times when the device was busy; may be null
};

/// Allocates what gpu::plan_device_bytes() says at once and keeps it. If others have taken the memory by then, it plans
/// again with what is free, some times, each time for less. The engine must outlive its formers, runs and mergers. It
/// has one run former at a time. While its mergers merge, there must be no former and no run of one. Its mergers share
/// room for two windows. Throws Error if the device cannot be used, DeviceFullError if too little of it is free for the
/// format, DeviceMemoryError if it does not give what it says is free.
std::unique_ptr<Engine> make_gpu_engine(const Format& format, const GpuEngineOptions& options);

}  // namespace sortie
