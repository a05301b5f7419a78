// Sizes of memory pages on the machines that Sortie is built for.
#pragma once

#include <cstdint>

namespace sortie {

inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint64_t kHugePageBytes = 2 << 20;

}  // namespace sortie
