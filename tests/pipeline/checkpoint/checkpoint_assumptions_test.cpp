// Sorts that are interrupted, and count what they assume before and behind that.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sortie/assumption.hpp>
#include <sortie/text_keys.hpp>

#include "pipeline/checkpoint/checkpoint_support.hpp"

namespace sortie {
namespace {

using namespace test;

/// Lines, of which each seventh has no time, and none a second field.
CheckpointedSort sort_that_assumes() {
  Format format = parsed("lines");
  format.text.keys = {parse_text_key("1,1:time(s)"), parse_text_key("2,2:time(s)")};
  std::string log;
  for (int i = 0; i < 20'000; ++i) log += (i % 7 == 3 ? "never" : std::to_string(i * 7919 % 20'000)) + "\n";
  return {format, {log}};
}

TEST(CheckpointAssumptions, AreToldOfAllAttempts) {
  CheckpointedSort job = sort_that_assumes();
  CheckpointedSort plain = job;
  plain.options.checkpoint_directory.clear();
  const std::vector<Assumption> expected = plain.attempt()->assumptions;
  ASSERT_EQ(expected.size(), 2U);
  EXPECT_EQ(expected[0].count, 20'000U);
  EXPECT_EQ(expected[1].count, 2857U);
  for (const double share : {0.3, 0.5, 0.8}) {
    CheckpointedSort interrupted = job;
    interrupted.interrupt_at(share);
    const auto report = interrupted.attempt();
    ASSERT_TRUE(report);
    EXPECT_GT(report->runs_resumed, 0U);
    ASSERT_EQ(report->assumptions.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(report->assumptions[i].message, expected[i].message);
      EXPECT_EQ(report->assumptions[i].first_place, expected[i].first_place);
    }
  }
}

TEST(CheckpointAssumptions, AreRefusedByAStrictSortThatGoesOn) {
  CheckpointedSort job = sort_that_assumes();
  job.interrupt_at(0.5);
  job.options.strict = true;
  EXPECT_NE(job.refusal().find("no time could be read in "), std::string::npos);
  EXPECT_FALSE(job.output());
  job.options.strict = false;
  EXPECT_GT(job.attempt()->runs_resumed, 0U);
}

// That is so of all records is known in the end only.
TEST(CheckpointAssumptions, OfAKeyThatIsEmptyThroughoutAreRefusedByAStrictSortThatGoesOn) {
  Format format = parsed("lines");
  format.text.csv = true;
  format.text.separator = ',';
  format.text.keys = {parse_text_key("2,2")};
  std::string rows;
  for (int i = 0; i < 20'000; ++i) rows += std::to_string(i * 7919 % 20'000) + ",\n";
  CheckpointedSort job(format, {rows});
  CheckpointedSort plain = job;
  plain.options.checkpoint_directory.clear();
  plain.options.strict = true;
  const std::string refusal = plain.refusal();
  EXPECT_NE(refusal.find("in all of 20000 records"), std::string::npos) << refusal;
  job.interrupt_at(0.5);
  job.options.strict = true;
  EXPECT_EQ(job.refusal(), refusal);
  EXPECT_FALSE(job.output());
}

}  // namespace
}  // namespace sortie
