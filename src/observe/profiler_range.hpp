// Shows the Observer's spans in NVIDIA's profilers (NVTX), beside the kernels that they wait for. In builds
// without CUDA, and when no profiler is attached, nothing happens.
#pragma once

#include <string>

namespace sortie {

/// Begins and ends a range of the calling thread. Ranges nest.
void push_profiler_range(const char* name) noexcept;
void pop_profiler_range() noexcept;

void name_profiler_thread(const std::string& name) noexcept;

}  // namespace sortie
