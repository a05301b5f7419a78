// How much memory the process has held at most, for the statistics.
#pragma once

#include <cstdint>

namespace sortie {

/// The most bytes that were resident since the process began its program, mapped files included; 0 where the
/// system does not tell.
std::uint64_t peak_memory_bytes();

}  // namespace sortie
