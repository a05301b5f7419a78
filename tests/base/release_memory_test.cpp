#include "base/release_memory.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sortie {
namespace {

TEST(ReleaseMemory, LeavesNone) {
  std::vector<char> bytes(1'000'000);
  release_memory(bytes);
  EXPECT_EQ(bytes.capacity(), 0U);
  std::string text(1'000'000, 'x');
  release_memory(text);
  EXPECT_EQ(text.capacity(), std::string().capacity());
}

}  // namespace
}  // namespace sortie
