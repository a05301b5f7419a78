// Runs of foretold weights: what is written compares as the weights themselves do.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "record/collation/foretold_runs.hpp"

namespace sortie {
namespace {

// Levels are spelt in letters here, 'm' for what is foretold, and begin anew at a turn.
constexpr std::string_view kBelow = "ack";
constexpr std::string_view kAbove = "nrz";

std::string written(std::string_view level) {
  std::string out(2 * level.size() + 8, '\0');
  ForetoldRuns runs(out.data());
  std::size_t run = 0;
  for (const char weight : level) {
    if (weight == 'm') {
      ++run;
      continue;
    }
    const bool is_below = weight < 'm';
    const std::size_t rank = (is_below ? kBelow : kAbove).find(weight);
    const Turn turn = static_cast<Turn>(static_cast<std::size_t>(is_below ? Turn::kBelow : Turn::kAbove) + rank);
    runs.put(run, turn);
    run = 0;
  }
  runs.put(run, Turn::kEnd);
  out.resize(static_cast<std::size_t>(runs.next() - out.data()));
  return out;
}

std::vector<std::string> levels_of_many_runs() {
  std::mt19937 random(20272);
  std::vector<std::string> levels;
  for (int i = 0; i < 400; ++i) {
    std::string level;
    for (std::size_t parts = random() % 4; parts > 0; --parts) {
      level.append(random() % 3 == 0 ? random() % 150 : random() % 3, 'm');
      level.push_back("acknrz"[random() % 6]);
    }
    levels.push_back(level.append(random() % 2 == 0 ? random() % 150 : 0, 'm'));
  }
  return levels;
}

TEST(ForetoldRuns, ComparesAsTheLevelsDo) {
  const std::vector<std::string> levels = levels_of_many_runs();
  for (const std::string& a : levels) {
    for (const std::string& b : levels) {
      EXPECT_EQ(written(a) < written(b), a < b) << a << " and " << b;
    }
  }
}

TEST(ForetoldRuns, LongRunsTakeFewBytes) {
  EXPECT_EQ(written("").size(), 1U);
  EXPECT_EQ(written(std::string(30, 'm')).size(), 1U);
  EXPECT_LE(written(std::string(1000, 'm')).size(), 31U);
}

TEST(ForetoldRuns, NoBytesThatAreEscaped) {
  for (const std::string& level : levels_of_many_runs()) {
    EXPECT_EQ(written(level).find_first_of(std::string_view("\0\1\2\n\x0b", 5)), std::string::npos);
  }
}

}  // namespace
}  // namespace sortie
