#include "cli/address_space.hpp"

#include <malloc.h>
#include <sys/resource.h>

namespace sortie::cli {

void spare_address_space() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  ::mallopt(M_ARENA_MAX, 1);  // each arena reserves 64 MiB
}

}  // namespace sortie::cli
