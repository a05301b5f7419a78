// What control groups (containers) leave this process: cgroup v1 and v2, with the limits of every group up to the root.
// Reads the system's files below a given folder, so that tests can bring their own.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace sortie {

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct GroupMemory {
  std::uint64_t limit_bytes = kNoLimit;      ///< lowest limit of all groups
  std::uint64_t available_bytes = kNoLimit;  ///< least that any limit leaves; idle file pages count as free

  bool operator==(const GroupMemory&) const = default;
};

/// `root`: the folder that holds proc and sys; empty for those of the system. A limit that cannot be read does not
/// count. That the system has none is remembered for a tenth of a second.
GroupMemory read_group_memory(const std::string& root = {});

/// The processor time that the groups may use, in CPUs, rounded up.
std::uint64_t read_group_cpus(const std::string& root = {});

/// How many more threads and processes the groups allow.
std::uint64_t read_group_threads(const std::string& root = {});

}  // namespace sortie
