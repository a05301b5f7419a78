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

std::uint64_t machine_available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    if (word == "MemAvailable:") {
      std::uint64_t kibibytes = 0;
      if (file >> kibibytes) return kibibytes << 10;
    }
  }
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 2
                   : std::uint64_t{1} << 30;
}

// What the groups from `group` up to the root leave, each with its own limit.
std::uint64_t group_available_bytes(const std::string& mount, std::string group, const char* limit_file,
                                    const char* usage_file) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  while (true) {
    const std::string folder = mount + group + "/";
    const auto limit = read_number(folder + limit_file);
    const auto usage = read_number(folder + usage_file);
    if (limit && usage) least = std::min(least, *limit - std::min(*limit, *usage));
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
      least = std::min(least, group_available_bytes("/sys/fs/cgroup", group, "memory.max", "memory.current"));
    } else if (controllers.find("memory") != std::string::npos) {
      least = std::min(least, group_available_bytes("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                                                    "memory.usage_in_bytes"));
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
