// What control groups (containers) leave this process: cgroup v1 and v2, every group up to the root with its own
// limits. Read from the system's files below a folder, so that tests can bring their own.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace sortie {

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct GroupMemory {
  std::uint64_t limit_bytes = kNoLimit;      ///< the lowest of all
  std::uint64_t available_bytes = kNoLimit;  ///< the least that is left of a limit; file pages that lie idle are free
};

/// `root`: has the folders proc and sys; empty for those of the system. What cannot be read is no limit.
GroupMemory read_group_memory(const std::string& root = {});

/// The processor time that the groups may use, in CPUs, rounded up.
std::uint64_t read_group_cpus(const std::string& root = {});

}  // namespace sortie
