// The GPU engine: one per device. Forms runs and merges windows with the kernels of this repository, and
// gives the same bytes as the CPU engine.
#pragma once

#include <memory>

#include <sortie/format.hpp>

#include "engine/engine.hpp"
#include "engine/gpu_module.hpp"

namespace sortie {

/// Allocates what gpu::plan_device_bytes() says at once and keeps it. If others have taken the memory by then, it plans
/// again with what is free, some times, each time for less. The engine must outlive its formers, runs and mergers. It
/// has one run former at a time. While its mergers merge, there must be no former and no run of one. Its mergers share
/// room for two windows. Throws Error if the device cannot be used, DeviceFullError if too little of it is free for the
/// format, DeviceMemoryError if it does not give what it says is free.
std::unique_ptr<Engine> make_gpu_engine(const Format& format, const GpuEngineOptions& options);

}  // namespace sortie
