#include "base/memory_region.hpp"

#include <gtest/gtest.h>
#include <sortie/error.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <vector>

namespace sortie {
namespace {

/// The size of the process's address space.
std::uint64_t mapped_bytes() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4096;
}

TEST(MemoryRegion, IsZeroedAndWritable) {
  const MemoryRegion region(100'001);
  ASSERT_EQ(region.size(), 100'001U);
  EXPECT_TRUE(std::ranges::all_of(region.bytes(), [](std::byte byte) { return byte == std::byte{0}; }));
  std::ranges::fill(region.bytes(), std::byte{1});
}

TEST(MemoryRegion, BeginsAtAHugePageIfItIsThatLarge) {
  constexpr std::size_t kHugePageBytes = 2 << 20;
  for (const std::size_t bytes : {kHugePageBytes, kHugePageBytes + 1, 7 * kHugePageBytes + 4097}) {
    const MemoryRegion regions[] = {MemoryRegion(bytes), MemoryRegion(bytes), MemoryRegion(bytes)};
    for (const MemoryRegion& region : regions) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region.data()) % kHugePageBytes, 0U);
      region.bytes().front() = std::byte{1};
      region.bytes().back() = std::byte{2};
    }
  }
}

TEST(MemoryRegion, TakesNoMoreAddressesThanItNeedsAndGivesThemBack) {
  constexpr std::uint64_t kToleranceBytes = 16 << 20;  // for the test itself
  constexpr std::size_t kRegionBytes = (2 << 20) + 4096;
  const std::uint64_t before = mapped_bytes();
  {
    std::vector<MemoryRegion> regions;
    for (int i = 0; i < 64; ++i) regions.emplace_back(kRegionBytes);
    EXPECT_LT(mapped_bytes(), before + 64 * kRegionBytes + kToleranceBytes);
  }
  EXPECT_LT(mapped_bytes(), before + kToleranceBytes);
}

TEST(MemoryRegion, MovesItsMemory) {
  MemoryRegion source(10);
  std::byte* const data = source.data();
  MemoryRegion target(std::move(source));
  EXPECT_EQ(target.data(), data);
  MemoryRegion other(20);
  other = std::move(target);
  EXPECT_EQ(other.data(), data);
  EXPECT_EQ(other.size(), 10U);
}

TEST(MemoryRegion, MayBeEmpty) {
  EXPECT_TRUE(MemoryRegion().bytes().empty());
  EXPECT_TRUE(MemoryRegion(0).bytes().empty());
}

TEST(MemoryRegion, SaysWhatItCannotAllocate) {
  try {
    const MemoryRegion region(std::size_t{1} << 62);
    FAIL() << "no Error was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("lower the memory budget"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sortie
