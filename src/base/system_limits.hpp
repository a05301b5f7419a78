// How much of the machine there is, and how much of it this process may use.
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

// Reads the system's small text files, such as those in /proc and /sys. Streams of the standard library take several
// times as long for these.

/// The whole text; empty if it cannot be read.
std::string read_system_file(const std::string& path);

/// Takes the next word off the front of `text`; empty if there is none.
std::string_view next_word(std::string_view& text);

/// The number that a file begins with; nothing if there is none, or no file.
std::optional<std::uint64_t> read_number(const std::string& path);

/// The number that follows `name` in a file of names and numbers.
std::optional<std::uint64_t> read_named_number(const std::string& path, const std::string& name);

}  // namespace sortie
