#include "cli/allocator.hpp"

#include <malloc.h>
#include <sys/resource.h>

namespace sortie::cli {
namespace {

/// Each of these takes a mapping of its own. Left alone, the allocator raises this size up to 32 MiB with the first
/// blocks that are freed, and the gaps between long records stay in its heap.
constexpr int kMappedBytes = 1 << 20;

bool address_space_is_limited() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

void set_up_allocator() noexcept {
  ::mallopt(M_MMAP_THRESHOLD, kMappedBytes);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kMappedBytes);
  if (address_space_is_limited()) ::mallopt(M_ARENA_MAX, 1);  // each arena reserves 64 MiB
}

}  // namespace sortie::cli
