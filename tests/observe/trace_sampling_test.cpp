#include "observe/trace_writer.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

using namespace std::chrono_literals;

TEST(TraceSampling, KeepsAllOfAShortTrace) {
  TraceSampling sampling;
  for (std::uint64_t i = 0; i + 1 < TraceSampling::kEventsPerStride; ++i) {
    ASSERT_TRUE(sampling.keeps(std::chrono::milliseconds(i), 1ms));
  }
  EXPECT_EQ(sampling.stride(), 1u);
}

TEST(TraceSampling, KeepsWholeSecondsOfALongOne) {
  TraceSampling sampling;
  for (std::uint64_t i = 0; i < TraceSampling::kEventsPerStride; ++i) sampling.keeps(0s, 1ms);
  EXPECT_EQ(sampling.stride(), 2u);
  EXPECT_TRUE(sampling.keeps(100s, 1ms));
  EXPECT_TRUE(sampling.keeps(100s + 999ms, 1ms));
  EXPECT_FALSE(sampling.keeps(101s, 1ms));
  EXPECT_FALSE(sampling.keeps(101s + 999ms, 1ms));
  EXPECT_TRUE(sampling.keeps(101s, 1s));  // a phase
}

TEST(TraceSampling, GrowsWithTheLogarithmOfTheTime) {
  TraceSampling sampling;
  std::uint64_t kept = 0;
  for (int second = 0; second < 36'000; ++second) {
    for (int i = 0; i < 1000; ++i) kept += sampling.keeps(std::chrono::seconds(second), 1ms) ? 1 : 0;
  }
  EXPECT_LE(kept, 12 * TraceSampling::kEventsPerStride);
}

}  // namespace
}  // namespace sortie
