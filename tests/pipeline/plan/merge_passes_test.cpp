#include "pipeline/plan/merge_shape.hpp"
#include "pipeline/plan/window_plan.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace sortie {
namespace {

// A run is a list of the numbers of the first runs that it consists of.
using RunList = std::vector<std::vector<std::size_t>>;

RunList make_runs(std::size_t count) {
  RunList runs;
  for (std::size_t i = 0; i < count; ++i) runs.push_back({i});
  return runs;
}

RunList apply_pass(const RunList& runs, const std::vector<MergeGroup>& groups) {
  RunList next;
  std::size_t taken = 0;
  for (const MergeGroup& group : groups) {
    while (taken < group.begin) next.push_back(runs[taken++]);
    std::vector<std::size_t> merged;
    for (; taken < group.end; ++taken) merged.insert(merged.end(), runs[taken].begin(), runs[taken].end());
    next.push_back(merged);
  }
  while (taken < runs.size()) next.push_back(runs[taken++]);
  return next;
}

std::vector<std::size_t> concatenated(const RunList& runs) {
  std::vector<std::size_t> all;
  for (const auto& run : runs) all.insert(all.end(), run.begin(), run.end());
  return all;
}

template <class Check>
void for_many_shapes(const Check& check) {
  for (const std::size_t fan_in : {2, 3, 5, 16, 1000}) {
    for (std::size_t runs = fan_in + 1; runs < 3 * fan_in * fan_in + 5 && runs < 5000; runs += 1 + runs / 40) {
      SCOPED_TRACE(std::to_string(runs) + " runs, fan-in " + std::to_string(fan_in));
      check(runs, fan_in);
    }
  }
}

TEST(MergePasses, MergeNeighboursWithinTheFanIn) {
  for_many_shapes([](std::size_t runs, std::size_t fan_in) {
    std::size_t last = 0;
    for (const MergeGroup& group : plan_merge_pass(runs, fan_in)) {
      ASSERT_GE(group.begin, last);
      ASSERT_GE(group.end - group.begin, 2U);
      ASSERT_LE(group.end - group.begin, fan_in);
      ASSERT_LE(group.end, runs);
      last = group.end;
    }
  });
}

TEST(MergePasses, ReachTheFanInWithTheRunsInOrder) {
  for_many_shapes([](std::size_t count, std::size_t fan_in) {
    RunList runs = make_runs(count);
    std::size_t passes = 0;
    for (; runs.size() > fan_in; ++passes) {
      const std::size_t before = runs.size();
      runs = apply_pass(runs, plan_merge_pass(runs.size(), fan_in));
      ASSERT_LT(runs.size(), before);
    }
    ASSERT_EQ(passes + 1, merge_passes(count, fan_in)) << "one more merges those that are left";
    std::vector<std::size_t> expected(count);
    std::iota(expected.begin(), expected.end(), 0);
    ASSERT_EQ(concatenated(runs), expected);
  });
}

TEST(MergePasses, MoveNoMoreThanTheFinalMergeNeeds) {
  for_many_shapes([](std::size_t runs, std::size_t fan_in) {
    if (runs > fan_in * fan_in) return;  // takes another pass, which merges everything
    std::size_t merged = 0;
    const auto groups = plan_merge_pass(runs, fan_in);
    for (const MergeGroup& group : groups) merged += group.end - group.begin;
    const std::size_t surplus = runs - fan_in;
    const std::size_t fewest_groups = (surplus + fan_in - 2) / (fan_in - 1);
    ASSERT_EQ(groups.size(), fewest_groups);
    ASSERT_EQ(merged, surplus + fewest_groups);
  });
}

}  // namespace
}  // namespace sortie
