#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sortie {
namespace {

TEST(ParallelCopy, CopiesEveryByteAndNoMore) {
  for (const std::size_t count : {0UL, 1UL, (1UL << 20) - 1, (1UL << 20) + 1, 5'000'001UL}) {
    SCOPED_TRACE(std::to_string(count) + " bytes");
    std::vector<std::byte> source(count);
    for (std::size_t i = 0; i < count; ++i) source[i] = static_cast<std::byte>(i * 31 + i / 256);
    std::vector<std::byte> target(count + 1, std::byte{0x5a});
    copy_in_parallel(target, source);
    EXPECT_TRUE(std::equal(source.begin(), source.end(), target.begin()));
    EXPECT_EQ(target.back(), std::byte{0x5a});
  }
}

}  // namespace
}  // namespace sortie
