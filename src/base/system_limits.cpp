#include "base/system_limits.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace sortie {
namespace {

std::optional<std::uint64_t> read_number(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;  // "max" is no number: no limit
  return std::nullopt;
}

// The number that follows `name` in a file of names and numbers.
std::optional<std::uint64_t> read_named_number(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    std::uint64_t value = 0;
    if (word == name && file >> value) return value;
  }
  return std::nullopt;
}

std::uint64_t machine_available_bytes() {
  if (const auto kibibytes = read_named_number("/proc/meminfo", "MemAvailable:")) return *kibibytes << 10;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 2
                   : std::uint64_t{1} << 30;
}

// Where a version of cgroup keeps its numbers.
struct GroupFiles {
  const char* limit;
  const char* usage;
  const char* idle_cache;  // in memory.stat: file pages that the system takes back when memory is asked for
};

// What the groups from `group` up to the root leave, each with its own limit.
std::uint64_t group_available_bytes(const std::string& mount, std::string group, const GroupFiles& files) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  while (true) {
    const std::string folder = mount + group + "/";
    const auto limit = read_number(folder + files.limit);
    const auto usage = read_number(folder + files.usage);
    if (limit && usage) {
      const std::uint64_t idle = read_named_number(folder + "memory.stat", files.idle_cache).value_or(0);
      const std::uint64_t used = *usage - std::min(*usage, idle);
      least = std::min(least, *limit - std::min(*limit, used));
    }
    if (group.empty() || group == "/") return least;
    group.erase(group.rfind('/'));
  }
}

std::uint64_t container_available_bytes() {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {  // "hierarchy:controllers:path"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      const GroupFiles version_2{"memory.max", "memory.current", "inactive_file"};
      least = std::min(least, group_available_bytes("/sys/fs/cgroup", group, version_2));
    } else if (controllers.find("memory") != std::string::npos) {
      const GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
      least = std::min(least, group_available_bytes("/sys/fs/cgroup/memory", group, version_1));
    }
  }
  return least;
}

}  // namespace

std::uint64_t available_memory_bytes() { return std::min(machine_available_bytes(), container_available_bytes()); }

unsigned available_threads() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
}

}  // namespace sortie
