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
  std::uint64_t device_memory_bytes = 0;  ///< ceiling; 0: most of what is free
  Algorithm algorithm = Algorithm::kAuto;
  unsigned threads = 1;                    ///< for touching pinned memory
  DeviceSpanSink* device_spans = nullptr;  ///< is told when the device was busy, if there is one
};

/// The bytes that an engine with these options takes on its device: the ceiling, or less where less is free.
/// Throws Error if the device cannot be used.
std::uint64_t gpu_budget_bytes(const GpuEngineOptions& options);

/// Allocates gpu_budget_bytes() at once and keeps them; the engine outlives its formers, runs and mergers.
/// It has one run former at a time, and none, nor runs of one, while its mergers merge; its mergers share room for two
/// windows. A device with too little memory for the format is refused when the former is made.
/// Throws Error if the device cannot be used, DeviceMemoryError (device/cuda_error.hpp) if it has no room.
std::unique_ptr<Engine> make_gpu_engine(const Format& format, const GpuEngineOptions& options);

}  // namespace sortie
