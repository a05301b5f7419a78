#include "base/touch_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include <unistd.h>

#include "base/memory_region.hpp"

namespace sortie {
namespace {

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

TEST(TouchPages, MakesAllOfTheMemoryResident) {
  for (const bool in_parallel : {false, true}) {
    const MemoryRegion region((64 << 20) + 5);
    const std::uint64_t before = resident_bytes();
    if (in_parallel) {
      touch_pages_in_parallel(region.bytes());
    } else {
      touch_pages(region.bytes());
    }
    EXPECT_GE(resident_bytes(), before + region.size() * 9 / 10);
    EXPECT_TRUE(std::ranges::all_of(region.bytes(), [](std::byte byte) { return byte == std::byte{}; }));
  }
}

TEST(TouchPages, TakesNoMemory) {
  touch_pages({});
  touch_pages_in_parallel({});
}

}  // namespace
}  // namespace sortie
