// How much memory there is: what a budget given in percent is a part of.
#pragma once

#include <cstdint>

namespace sortie {

/// Physical memory in bytes, or the limit of the container (control groups) if that is less. Throws Error if the system
/// does not tell.
std::uint64_t total_memory_bytes();

}  // namespace sortie
