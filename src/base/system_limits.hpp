// How much of the machine this process may use. How much there is in all is in the public header.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sortie/total_memory.hpp>

namespace sortie {

/// Memory that can be taken without pushing out other processes: what the system calls available, or less if its
/// control groups (containers) or its limits on address space and data (ulimit -v, -d) leave less. `root`: the folder
/// that holds proc and sys; empty for those of the system.
std::uint64_t available_memory_bytes(const std::string& root = {});

/// CPUs that the process may run on, or the CPU time that its control groups allow, if that is less.
unsigned available_threads(const std::string& root = {});

/// Address space that its limit (ulimit -v) leaves to the process; kNoLimit if there is none.
std::uint64_t available_address_space(const std::string& root = {});

/// The numbers of all open descriptors of this process, in order; none if the system does not tell.
std::vector<int> open_descriptors();

/// How many more files this process may open.
std::uint64_t free_descriptors();

}  // namespace sortie
