// Which GPUs CUDA may see, and when a machine is asked for them. Needs no GPU.
#include "pipeline/setup/engine_choice.hpp"

#include <gtest/gtest.h>

namespace sortie {
namespace {

EngineDecision gpus(const std::vector<int>& devices) { return {true, "", devices}; }

SortOptions asking_for(const std::vector<int>& devices) {
  SortOptions options;
  options.devices = devices;
  return options;
}

std::string visible(const std::optional<NarrowedDevices>& narrowed) {
  return narrowed ? narrowed->visible : "as it is";
}

TEST(Machine, HidesTheGpusThatAreNotAskedForAndCountsAnew) {
  const auto narrowed = narrow_to(gpus({3, 1}), asking_for({3, 1}), std::nullopt, 4);
  ASSERT_TRUE(narrowed);
  EXPECT_EQ(narrowed->visible, "1,3");
  EXPECT_EQ(narrowed->devices, (std::vector<int>{0, 1}));
}

TEST(Machine, HidesThoseThatDoNotPayAndLeavesTheChoiceOpen) {
  const auto narrowed = narrow_to(gpus({0}), {}, std::nullopt, 4);
  ASSERT_TRUE(narrowed);
  EXPECT_EQ(narrowed->visible, "0");
  EXPECT_TRUE(narrowed->devices.empty());
}

TEST(Machine, CountsWithinWhatIsVisibleAlready) {
  EXPECT_EQ(visible(narrow_to(gpus({1}), asking_for({1}), "2,3", 4)), "3");
  EXPECT_EQ(visible(narrow_to(gpus({0}), {}, "GPU-aa,GPU-bb", 4)), "GPU-aa");
}

TEST(Machine, HidesNothingWhereNothingIsToBeHidden) {
  EXPECT_EQ(visible(narrow_to(gpus({0, 1}), asking_for({0, 1}), std::nullopt, 2)), "as it is");
  EXPECT_EQ(visible(narrow_to(gpus({0}), {}, "2", 4)), "as it is");
  EXPECT_EQ(visible(narrow_to(gpus({}), {}, std::nullopt, 4)), "as it is");
  EXPECT_EQ(visible(narrow_to({false, "", {}}, asking_for({1}), std::nullopt, 4)), "as it is");
}

TEST(Machine, LeavesItToCudaToSayWhatIsWrong) {
  EXPECT_EQ(visible(narrow_to(gpus({7}), asking_for({7}), std::nullopt, 4)), "as it is");
  EXPECT_EQ(visible(narrow_to(gpus({0}), asking_for({0}), std::nullopt, 0)), "as it is");
  EXPECT_EQ(visible(narrow_to(gpus({2}), asking_for({2}), "2,3", 4)), "as it is");
}

}  // namespace
}  // namespace sortie
