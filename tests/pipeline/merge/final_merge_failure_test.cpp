// Merges that end early: a merger or the consumer throws, or a block is damaged.
#include "pipeline/merge/merge_support.hpp"
#include "pipeline/merge/run_merge.hpp"

namespace sortie {
namespace {

using namespace test;

// A merger that fails at its nth call.
class FailingMerger : public WindowMerger {
 public:
  FailingMerger(std::unique_ptr<WindowMerger> merger, int fail_at) : merger_(std::move(merger)), left_(fail_at) {}
  std::unique_ptr<MergedWindow> merge(std::span<const std::span<const std::byte>> ranges,
                                      const PartConsumer::Look& look, std::span<std::byte> room) override {
    if (left_-- == 0) throw Error("the merger broke");
    return merger_->merge(ranges, look, room);
  }

 private:
  std::unique_ptr<WindowMerger> merger_;
  int left_;
};

class FinalMergeFailure : public testing::TestWithParam<int> {
 protected:
  // Merges with `lanes` lanes, one of which fails at its `fail_at`th window.
  std::string error_of_merge(std::size_t lanes, std::size_t failing_lane, int fail_at, const MergedConsumer& consumer) {
    auto mergers = make_mergers(*engine_, lanes);
    if (failing_lane < lanes) {
      mergers[failing_lane] = std::make_unique<FailingMerger>(std::move(mergers[failing_lane]), fail_at);
    }
    auto runs = test_.store_runs(ranges_);
    const MemoryPlan plan = plan_with_arena(8'000);
    return error_of([&] { merge_runs(runs, test_.order, mergers, plan, test_.observer, consumer); });
  }

  Format format_ = parsed("gensort");
  StoreForTest test_{format_, kInFiles};
  std::unique_ptr<Engine> engine_ = make_cpu_engine(format_);
  std::vector<std::string> ranges_ = sorted_ranges(format_, make_records(format_, Distribution::kUniform, 800), 3);
};

TEST_P(FinalMergeFailure, EndsTheMergeIfAMergerThrows) {
  for (const std::size_t lanes : {1, 2, 3}) {
    EXPECT_EQ(
        error_of_merge(lanes, GetParam() % lanes, GetParam() / static_cast<int>(lanes), [](auto) { return true; }),
        "the merger broke");
  }
}

TEST_P(FinalMergeFailure, EndsTheMergeIfTheConsumerThrows) {
  for (const std::size_t lanes : {1, 2, 3}) {
    int left = GetParam();
    const auto consumer = [&](std::span<std::byte>) {
      if (left-- == 0) throw Error("the disk is full");
      return true;
    };
    EXPECT_EQ(error_of_merge(lanes, lanes, 0, consumer), "the disk is full");
  }
}

INSTANTIATE_TEST_SUITE_P(AtWindow, FinalMergeFailure, testing::Range(0, 9));

TEST(FinalMerge, PassesOnThatABlockIsDamaged) {
  const Format format = parsed("gensort");
  StoreForTest test(format, kInFiles);
  const auto engine = make_cpu_engine(format);
  const auto mergers = make_mergers(*engine, 2);
  const auto ranges = sorted_ranges(format, make_records(format, Distribution::kUniform, 1000), 3);
  const MemoryPlan plan = plan_with_arena(8'000);
  for (const std::size_t block : {0, 5, 100}) {
    auto runs = test.store_runs(ranges);
    runs[1].blocks[std::min(block, runs[1].blocks.size() - 1)].checksum ^= 1;
    const std::string message =
        error_of([&] { merge_runs(runs, test.order, mergers, plan, test.observer, [](auto) { return true; }); });
    EXPECT_NE(message.find("is damaged"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace sortie
