// The peak memory of the process, for the statistics.
#pragma once

#include <cstdint>

namespace sortie {

/// The most bytes that were resident since the process began its program, mapped files included; 0 if the system does
/// not tell.
std::uint64_t peak_memory_bytes();

}  // namespace sortie
