// Replaces the C library's allocation, which fails as the plan says. Memory that C++ allocates with operator new comes
// here too. Memory taken straight from the system comes from mmap(), which is among the file calls.
#include <cerrno>
#include <cstddef>

#include "support/preload/fault_plan.hpp"

using sortie::test::Call;
using sortie::test::passes;

extern "C" {

// The GNU C library's own names for the replaced functions.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) noexcept { return passes(Call::kMalloc) ? __libc_malloc(bytes) : nullptr; }

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return passes(Call::kMalloc) ? __libc_calloc(count, bytes) : nullptr;
}

void* realloc(void* block, std::size_t bytes) noexcept {
  return passes(Call::kMalloc) ? __libc_realloc(block, bytes) : nullptr;
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return passes(Call::kMalloc) ? __libc_memalign(alignment, bytes) : nullptr;
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  if (!passes(Call::kMalloc)) return ENOMEM;
  *block = __libc_memalign(alignment, bytes);
  return *block == nullptr ? ENOMEM : 0;
}

}  // extern "C"
