// Replaces the C library's start of threads, which fails as the plan says.
#include <cerrno>

#include <dlfcn.h>
#include <pthread.h>

#include "support/preload/fault_plan.hpp"

namespace {

using sortie::test::Call;
using sortie::test::passes;
using StartThread = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

/// Looked up before main(), where nothing fails yet.
const auto start_thread = reinterpret_cast<StartThread>(::dlsym(RTLD_NEXT, "pthread_create"));

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                              void* argument) noexcept {
  return passes(Call::kThread) ? start_thread(thread, attributes, work, argument) : EAGAIN;
}
