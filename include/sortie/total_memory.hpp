// How much memory there is: a budget in percent is a part of it.
#pragma once

#include <cstdint>

namespace sortie {

/// Physical memory in bytes, or the limit of the container (control groups) if that is less. Throws Error if the system
/// does not say.
std::uint64_t total_memory_bytes();

}  // namespace sortie
