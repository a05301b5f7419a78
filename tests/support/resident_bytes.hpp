// Memory of this process that is in RAM now.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace sortie::test {

inline std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace sortie::test
