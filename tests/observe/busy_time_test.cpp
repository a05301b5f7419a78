#include "observe/busy_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sortie {
namespace {

BusyTime::TimePoint at(long milliseconds) { return BusyTime::TimePoint(std::chrono::milliseconds(milliseconds)); }

double busy(std::initializer_list<std::pair<long, long>> intervals) {
  BusyTime time;
  for (const auto& [begin, end] : intervals) time.add(at(begin), at(end));
  return time.seconds() * 1000;
}

TEST(BusyTime, IsTheLengthOfTheUnion) {
  EXPECT_DOUBLE_EQ(busy({}), 0);
  EXPECT_DOUBLE_EQ(busy({{0, 10}, {20, 30}}), 20);
  EXPECT_DOUBLE_EQ(busy({{0, 10}, {5, 15}}), 15);
  EXPECT_DOUBLE_EQ(busy({{0, 10}, {10, 20}}), 20);
  EXPECT_DOUBLE_EQ(busy({{0, 100}, {20, 30}}), 100);
  EXPECT_DOUBLE_EQ(busy({{20, 30}, {0, 100}}), 100);
  EXPECT_DOUBLE_EQ(busy({{0, 10}, {20, 30}, {40, 50}, {5, 45}}), 50);
  EXPECT_DOUBLE_EQ(busy({{40, 50}, {20, 30}, {0, 10}}), 30);
}

TEST(BusyTime, CountsNothingForEmptyAndInvertedIntervals) { EXPECT_DOUBLE_EQ(busy({{5, 5}, {9, 7}}), 0); }

TEST(BusyTime, AgreesWithACountOfMilliseconds) {
  std::mt19937 random(20261121);
  std::vector<bool> marked(3000);
  BusyTime time;
  for (int i = 0; i < 500; ++i) {
    const long begin = static_cast<long>(random() % 2900);
    const long end = begin + static_cast<long>(random() % 10);
    time.add(at(begin), at(end));
    for (long t = begin; t < end; ++t) marked[static_cast<std::size_t>(t)] = true;
  }
  EXPECT_NEAR(time.seconds() * 1000, static_cast<double>(std::count(marked.begin(), marked.end(), true)), 1e-6);
}

TEST(BusyTime, StaysExactBeyondWhatItKeeps) {
  constexpr long kCount = 10 * BusyTime::kMostIntervals;
  BusyTime time;
  for (long i = 0; i < kCount; ++i) {
    time.add(at(10 * i), at(10 * i + 4));
    if (i >= 100) time.add(at(10 * (i - 100) + 2), at(10 * (i - 100) + 6));  // late spans, as from another thread
  }
  EXPECT_NEAR(time.seconds() * 1000, 6.0 * kCount - 2 * 100, 1e-3);
}

TEST(BusyTime, NeverCountsTwiceWhatComesTooLate) {
  BusyTime time;
  for (long i = 0; i < 2 * static_cast<long>(BusyTime::kMostIntervals); ++i) time.add(at(10 * i), at(10 * i + 5));
  const double before = time.seconds();
  time.add(at(0), at(100));
  EXPECT_DOUBLE_EQ(time.seconds(), before);
}

}  // namespace
}  // namespace sortie
