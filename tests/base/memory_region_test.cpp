#include "base/memory_region.hpp"

#include <gtest/gtest.h>
#include <sortie/error.hpp>

#include <algorithm>

namespace sortie {
namespace {

TEST(MemoryRegion, IsZeroedAndWritable) {
  const MemoryRegion region(100'001);
  ASSERT_EQ(region.size(), 100'001U);
  EXPECT_TRUE(std::ranges::all_of(region.bytes(), [](std::byte byte) { return byte == std::byte{0}; }));
  std::ranges::fill(region.bytes(), std::byte{1});
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
    EXPECT_NE(std::string(error.what()).find("--buffer-size"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sortie
