#include "observe/peak_memory.hpp"

#include <fstream>
#include <string>

namespace sortie {

// Not getrusage(): its maximum outlives exec(), so that a small program started by a large one looks large.
std::uint64_t peak_memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes << 10;
  }
  return 0;
}

}  // namespace sortie
