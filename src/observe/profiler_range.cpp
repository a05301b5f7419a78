#include "observe/profiler_range.hpp"

#ifdef SORTIE_NVTX
#include <nvtx3/nvToolsExt.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace sortie {

#ifdef SORTIE_NVTX

void push_profiler_range(const char* name) noexcept { nvtxRangePushA(name); }

void pop_profiler_range() noexcept { nvtxRangePop(); }

void name_profiler_thread(const std::string& name) noexcept {
  nvtxNameOsThreadA(static_cast<std::uint32_t>(::syscall(SYS_gettid)), name.c_str());
}

#else

void push_profiler_range(const char*) noexcept {}

void pop_profiler_range() noexcept {}

void name_profiler_thread(const std::string&) noexcept {}

#endif

}  // namespace sortie
