#include "io/output/parallel_writer.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

constexpr std::uint64_t kPartBytes = 16 << 20;

// Runs the trial of both ways at these rates.
WriteWayChoice after_trial(double calls_rate, double mapped_rate) {
  WriteWayChoice choice;
  for (std::uint64_t written = 0; written < 2 * WriteWayChoice::kTrialBytes; written += kPartBytes) {
    const WriteWay way = choice.next();
    choice.record(way, kPartBytes,
                  static_cast<double>(kPartBytes) / (way == WriteWay::kCalls ? calls_rate : mapped_rate));
  }
  return choice;
}

TEST(WriteWayChoice, TriesBothWaysInTurn) {
  WriteWayChoice choice;
  EXPECT_EQ(choice.next(), WriteWay::kCalls);
  choice.record(WriteWay::kCalls, kPartBytes, 1);
  EXPECT_EQ(choice.next(), WriteWay::kMapped);
  choice.record(WriteWay::kMapped, kPartBytes, 9);
  EXPECT_EQ(choice.next(), WriteWay::kCalls);
}

TEST(WriteWayChoice, KeepsTheFasterWay) {
  EXPECT_EQ(after_trial(3e9, 15e9).next(), WriteWay::kMapped);
  EXPECT_EQ(after_trial(5e9, 4e9).next(), WriteWay::kCalls);
  EXPECT_EQ(after_trial(5e9, 5e9).next(), WriteWay::kCalls);
}

TEST(WriteWayChoice, ComparesRatesOfPartsOfAnySize) {
  WriteWayChoice choice;
  choice.record(WriteWay::kCalls, 4 * WriteWayChoice::kTrialBytes, 4);
  choice.record(WriteWay::kMapped, WriteWayChoice::kTrialBytes, 0.5);
  EXPECT_EQ(choice.next(), WriteWay::kMapped);
}

}  // namespace
}  // namespace sortie
