// Replaces a sanitizer's allocation, as memory_calls.cpp replaces the C library's. Calls that pass go to the
// sanitizer, which has its own operator new.
#include <cerrno>
#include <cstddef>
#include <new>

#include <dlfcn.h>
#include <pthread.h>

#include "support/preload/fault_plan.hpp"

namespace {

using namespace sortie::test;

/// The next function of this name after this library. It is looked up at the first call, which comes before any
/// constructor.
template <class Function>
Function* behind(Function*& found, const char* name) {
  if (found == nullptr) found = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
  return found;
}

using TakeBytes = void*(std::size_t);
using TakeItems = void*(std::size_t, std::size_t);
using Resize = void*(void*, std::size_t);
using TakeAligned = int(void**, std::size_t, std::size_t);
using NewAligned = void*(std::size_t, std::align_val_t);
using DescribeThread = int(pthread_t, pthread_attr_t*);

TakeBytes* next_malloc = nullptr;
TakeItems* next_calloc = nullptr;
Resize* next_realloc = nullptr;
TakeItems* next_aligned_alloc = nullptr;
TakeAligned* next_posix_memalign = nullptr;
TakeBytes* next_new = nullptr;
TakeBytes* next_new_array = nullptr;
NewAligned* next_new_aligned = nullptr;

}  // namespace

extern "C" {

/// The sanitizer calls this at the start of a thread, and aborts if it fails.
int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  static DescribeThread* next = nullptr;
  const FaultPause pause;
  return behind(next, "pthread_getattr_np")(thread, attributes);
}

/// Turns the leak check off. Memory that the loader keeps is not leaked, but behind these calls the sanitizer does not
/// see that the loader holds it.
int __lsan_is_turned_off() { return 1; }

void* malloc(std::size_t bytes) noexcept {
  return passes(Call::kMalloc) ? behind(next_malloc, "malloc")(bytes) : nullptr;
}

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return passes(Call::kMalloc) ? behind(next_calloc, "calloc")(count, bytes) : nullptr;
}

void* realloc(void* block, std::size_t bytes) noexcept {
  return passes(Call::kMalloc) ? behind(next_realloc, "realloc")(block, bytes) : nullptr;
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return passes(Call::kMalloc) ? behind(next_aligned_alloc, "aligned_alloc")(alignment, bytes) : nullptr;
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  return passes(Call::kMalloc) ? behind(next_posix_memalign, "posix_memalign")(block, alignment, bytes) : ENOMEM;
}

}  // extern "C"

void* operator new(std::size_t bytes) {
  if (!passes(Call::kMalloc)) throw std::bad_alloc();
  return behind(next_new, "_Znwm")(bytes);
}

void* operator new[](std::size_t bytes) {
  if (!passes(Call::kMalloc)) throw std::bad_alloc();
  return behind(next_new_array, "_Znam")(bytes);
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (!passes(Call::kMalloc)) throw std::bad_alloc();
  return behind(next_new_aligned, "_ZnwmSt11align_val_t")(bytes, alignment);
}
