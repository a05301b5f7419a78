// Asks the kernel how much of a file lies in memory. Decides between reading through the page cache and around it.
#pragma once

#include <cstdint>

namespace sortie {

/// Whether at least half of the range's pages are in the page cache. True where the system does not say: before Linux
/// 6.5, and for files that belong to others. Costs microseconds, reads nothing.
bool is_mostly_cached(int descriptor, std::uint64_t offset, std::uint64_t bytes);

}  // namespace sortie
