// What this process may use of the machine. How much there is in all is in the public header.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sortie/total_memory.hpp>

namespace sortie {

/// Memory that can be had without pushing others out: what the system calls available, or less if its control groups
/// (containers) or its limits on address space and data (ulimit -v, -d) leave less. `root`: where /proc and /sys are.
std::uint64_t available_memory_bytes(const std::string& root = {});

/// CPUs that the process may run on, or as many as its control groups give it the time of, if those are fewer.
unsigned available_threads(const std::string& root = {});

/// What a limit on address space (ulimit -v) leaves to the process; very much if there is none.
std::uint64_t available_address_space(const std::string& root = {});

/// The numbers of all open descriptors of this process, in order; none if the system does not tell.
std::vector<int> open_descriptors();

/// Files that this process may open beside those that are open.
std::uint64_t free_descriptors();

}  // namespace sortie
