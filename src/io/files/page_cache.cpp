#include "io/files/page_cache.hpp"

#include <unistd.h>

namespace sortie {
namespace {

/// cachestat(2), for which the C library has no name yet; the same number on every architecture.
constexpr long kCachestat = 451;

struct CacheRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct CacheCounts {
  std::uint64_t cached = 0;
  std::uint64_t dirty = 0;
  std::uint64_t writeback = 0;
  std::uint64_t evicted = 0;
  std::uint64_t recently_evicted = 0;
};

}  // namespace

bool is_mostly_cached(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  CacheRange range{offset, bytes};
  CacheCounts counts;
  if (::syscall(kCachestat, descriptor, &range, &counts, 0U) != 0) return true;
  return 2 * counts.cached * page_bytes >= bytes;
}

}  // namespace sortie
