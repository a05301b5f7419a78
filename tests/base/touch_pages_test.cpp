#include "base/memory_region.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/resident_bytes.hpp"

namespace sortie {
namespace {

TEST(TouchPages, MakesAllOfTheMemoryResident) {
  for (const bool in_parallel : {false, true}) {
    const MemoryRegion region((64 << 20) + 5);
    const std::uint64_t before = test::resident_bytes();
    if (in_parallel) {
      touch_pages_in_parallel(region.bytes());
    } else {
      touch_pages(region.bytes());
    }
    EXPECT_GE(test::resident_bytes(), before + region.size() * 9 / 10);
    EXPECT_TRUE(std::ranges::all_of(region.bytes(), [](std::byte byte) { return byte == std::byte{}; }));
  }
}

TEST(TouchPages, TakesNoMemory) {
  touch_pages({});
  touch_pages_in_parallel({});
}

}  // namespace
}  // namespace sortie
