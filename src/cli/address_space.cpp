#include "cli/address_space.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>

#include <cstddef>

namespace sortie::cli {
namespace {

/// As the tests of memory ceilings have it for all threads.
constexpr std::size_t kStackBytes = 1 << 20;

}  // namespace

void spare_address_space() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  ::mallopt(M_ARENA_MAX, 1);  // each arena reserves 64 MiB
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, kStackBytes) == 0) ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

}  // namespace sortie::cli
