// How much of the machine there is, and how much of it this process may use: memory, processors, descriptors. Read once
// when a job is planned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sortie {

/// Physical memory in bytes, or the limit of the container (control groups) if that is less. Throws Error if the system
/// does not say.
std::uint64_t total_memory_bytes();

/// Memory that can be taken without pushing out other processes: what the system calls available, or less if its
/// control groups (containers) or its limits on address space and data (ulimit -v, -d) leave less. `root`: the folder
/// that holds proc and sys; empty for those of the system.
std::uint64_t available_memory_bytes(const std::string& root = {});

/// CPUs that the process may run on, or the CPU time that its control groups allow, if that is less.
unsigned available_threads(const std::string& root = {});

/// How many of `wanted` threads the system lets this process start now: not all if a limit on processes (ulimit -u), on
/// memory (ulimit -d, -v) or of a control group is close. If so, it starts them for a moment to
/// find out.
unsigned startable_threads(unsigned wanted, const std::string& root = {});

/// Memory, touched or not, that the limits on address space and data (ulimit -v, -d) leave to the process; kNoLimit if
/// there are none.
std::uint64_t available_address_space(const std::string& root = {});

/// The numbers of all open descriptors of this process, in order; none if the system does not say.
std::vector<int> open_descriptors();

/// How many more files this process may open.
std::uint64_t free_descriptors();

/// Whether so few are left that a merge of two files into a third, and an output beside it, would take them all. Looks
/// at what is open only if the limit is unusually low.
bool descriptors_are_scarce();

}  // namespace sortie
