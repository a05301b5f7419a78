// What this process may use of the machine.
#pragma once

#include <cstdint>

namespace sortie {

/// Memory that can be had without pushing others out: what the system calls available, or what the
/// container (cgroup v1 or v2) has left if that is less.
std::uint64_t available_memory_bytes();

/// CPUs that the process may run on.
unsigned available_threads();

}  // namespace sortie
