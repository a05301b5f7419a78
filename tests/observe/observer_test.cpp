#include "observe/observer.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "observe/timeline.hpp"

namespace sortie {
namespace {

TEST(Observer, SumsStagesInOrderOfFirstUse) {
  Observer observer(ProgressMode::kNever);
  { auto span = observer.span("read", 10); }
  { auto span = observer.span("sort", 7); }
  { auto span = observer.span("read", 5); }
  const std::vector<StageReport> stages = observer.stages();
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_EQ(stages[0].name, "read");
  EXPECT_EQ(stages[0].bytes, 15u);
  EXPECT_EQ(stages[1].name, "sort");
  EXPECT_EQ(stages[1].bytes, 7u);
}

TEST(Observer, MeasuresBusyTime) {
  Observer observer(ProgressMode::kNever);
  {
    auto span = observer.span("wait");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_GE(observer.stages().at(0).busy_seconds, 0.020);
  EXPECT_LT(observer.stages().at(0).busy_seconds, 10);
}

TEST(Observer, TakesTheBytesThatAreKnownAtTheEnd) {
  Observer observer(ProgressMode::kNever);
  {
    auto span = observer.span("read");
    span.set_bytes(42);
  }
  EXPECT_EQ(observer.stages().at(0).bytes, 42u);
}

TEST(Observer, AddsUpOverThreads) {
  Observer observer(ProgressMode::kNever);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&observer] {
      for (int j = 0; j < 1000; ++j) auto span = observer.span(j % 2 == 0 ? "even" : "odd", 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<StageReport> stages = observer.stages();
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_EQ(stages[0].bytes + stages[1].bytes, 12'000u);
}

TEST(Observer, CountsWorkOfSeveralThreadsAtOnceOnce) {
  using namespace std::chrono_literals;
  Observer observer(ProgressMode::kNever);
  observer.begin_phase("forming runs", 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&observer] {
      auto span = observer.span("read", 10);
      std::this_thread::sleep_for(50ms);
    });
  }
  for (std::thread& thread : threads) thread.join();
  observer.finish();
  SortReport report;
  observer.describe(report);
  EXPECT_GE(report.stages.at(0).busy_seconds, 0.200);
  ASSERT_EQ(report.resources.size(), 1u);
  EXPECT_EQ(report.resources[0].name, "reading");
  EXPECT_EQ(report.resources[0].bytes, 40u);
  EXPECT_GE(report.resources[0].busy_seconds, 0.050);
  EXPECT_LE(report.resources[0].busy_seconds, report.elapsed_seconds);
  ASSERT_EQ(report.phases.size(), 2u);
  EXPECT_EQ(report.phases[0].name, "starting");
  EXPECT_TRUE(report.phases[0].resources.empty());
  EXPECT_NEAR(report.phases[0].seconds + report.phases[1].seconds, report.elapsed_seconds, 1e-9);
}

TEST(Observer, CountsNestedWorkForTheInnerStageOnly) {
  using namespace std::chrono_literals;
  Observer observer(ProgressMode::kNever);
  {
    auto read = observer.span("read", 10);
    std::this_thread::sleep_for(20ms);
    {
      auto checksum = observer.span("checksum input", 10);
      std::this_thread::sleep_for(200ms);
    }
    std::this_thread::sleep_for(20ms);
  }
  SortReport report;
  observer.describe(report);
  EXPECT_GE(report.stages.at(0).busy_seconds, 0.040);
  EXPECT_GE(report.stages.at(1).busy_seconds, 0.200);
  EXPECT_LE(report.stages[0].busy_seconds + report.stages[1].busy_seconds, report.elapsed_seconds);
  EXPECT_EQ(report.stages[0].bytes, 10u);
  ASSERT_EQ(report.resources.size(), 2u);
  for (const ResourceReport& resource : report.resources) {
    EXPECT_NEAR(resource.busy_seconds, report.stages[resource.name == "reading" ? 0 : 1].busy_seconds, 1e-9)
        << resource.name;
  }
}

TEST(Observer, PutsDeviceWorkIntoStagesAndResources) {
  const auto begin = std::chrono::steady_clock::now();
  Observer observer(ProgressMode::kNever);
  const auto at = [&](int milliseconds) { return begin + std::chrono::milliseconds(milliseconds); };
  { auto span = observer.span("sort", 7); }  // the host waits for the device
  observer.add_device_span({0, "H2D", DeviceUnit::kUpload, "H2D", at(10), at(30), 100});
  observer.add_device_span({1, "H2D", DeviceUnit::kUpload, "H2D", at(20), at(40), 100});
  observer.add_device_span({0, "sort stream", DeviceUnit::kKernels, "sort chunk", at(40), at(45), 200});
  observer.add_device_span({0, "D2H", DeviceUnit::kDownload, "D2H", at(45), at(60), 200});
  SortReport report;
  observer.describe(report);
  std::vector<std::string> resources;
  for (const ResourceReport& resource : report.resources) resources.push_back(resource.name);
  EXPECT_EQ(resources, (std::vector<std::string>{"H2D", "D2H", "kernels"}));
  EXPECT_NEAR(report.resources[0].busy_seconds, 0.030, 1e-9);
  EXPECT_EQ(report.resources[0].bytes, 200u);
  ASSERT_EQ(report.stages.size(), 4u);
  EXPECT_EQ(report.stages[2].name, "sort chunk");
  EXPECT_NEAR(report.stages[1].busy_seconds, 0.040, 1e-9);
}

TEST(ObserverOfSorts, TellsOfEachSortAndOfAllTogether) {
  using namespace std::chrono_literals;
  Observer whole(ProgressMode::kNever);
  whole.begin_phase("sorting both inputs", 0);
  std::this_thread::sleep_for(10ms);
  Observer left(whole, "left input");
  left.begin_phase("forming runs", 0);
  { auto span = left.span("read", 10); }
  Observer right(whole, "right input");
  { auto span = right.span("read", 20); }
  left.finish();
  std::this_thread::sleep_for(20ms);
  { auto span = whole.span("join"); }
  right.finish();
  whole.finish();

  WorkReport of_left;
  left.describe(of_left);
  EXPECT_EQ(of_left.stages.at(0).bytes, 10u);
  EXPECT_EQ(of_left.phases.back().name, "forming runs");
  EXPECT_TRUE(of_left.sorts.empty());
  WorkReport report;
  whole.describe(report);
  ASSERT_EQ(report.stages.size(), 2u);
  EXPECT_EQ(report.stages[0].bytes, 30u);
  ASSERT_EQ(report.phases.size(), 2u);
  EXPECT_EQ(report.phases[1].resources.size(), 2u);
  ASSERT_EQ(report.sorts.size(), 2u);
  EXPECT_EQ(report.sorts[0].name, "left input");
  EXPECT_GE(report.sorts[0].begin_seconds, 0.010);
  ASSERT_EQ(report.sorts[0].phases.size(), 2u);
  EXPECT_EQ(report.sorts[0].phases[1].resources.at(0).bytes, 10u);
  double left_seconds = 0;
  for (const PhaseReport& phase : report.sorts[0].phases) left_seconds += phase.seconds;
  EXPECT_LE(report.sorts[0].begin_seconds + left_seconds, report.elapsed_seconds - 0.020);
  EXPECT_EQ(report.sorts[1].phases.at(0).resources.at(0).bytes, 20u);
}

TEST(ObserverOfSorts, NamesASortWithinASortByBothNames) {
  Observer whole(ProgressMode::kNever);
  Observer sample(whole, "the sample");
  Observer by_position(sample, "by place");
  WorkReport report;
  whole.describe(report);
  ASSERT_EQ(report.sorts.size(), 2u);
  EXPECT_EQ(report.sorts[1].name, "the sample, by place");
}

TEST(ObserverOfSorts, AddsUpTheScratchSpaceThatAllHaveAtOnce) {
  Observer whole(ProgressMode::kNever);
  whole.keep_timeline();
  Observer left(whole, "left input");
  Observer right(whole, "right input");
  left.set_scratch_bytes(100);
  right.set_scratch_bytes(50);
  left.set_scratch_bytes(10);
  right.set_scratch_bytes(60);
  whole.set_scratch_bytes(5);
  whole.finish();
  WorkReport report;
  whole.describe(report);
  EXPECT_EQ(report.scratch_peak_bytes, 150u);
  EXPECT_EQ(whole.timeline().samples.back().scratch_bytes, 75u);
  left.describe(report);
  EXPECT_EQ(report.scratch_peak_bytes, 100u);
}

// A write that passes records on to another sort is none to the output.
TEST(ObserverOfSorts, CountsNothingForWhatIsHandedOver) {
  using namespace std::chrono_literals;
  Observer whole(ProgressMode::kNever);
  Observer sort(whole, "by place");
  sort.expect_records_of_sort();
  {
    auto write = sort.span("write", 10);
    auto deliver = sort.span("pass records on", 10);
    std::this_thread::sleep_for(100ms);
  }
  { auto read = sort.span("read", 10); }
  WorkReport report;
  whole.describe(report);
  for (const ResourceReport& resource : report.resources) {
    EXPECT_EQ(resource.bytes, 0u) << resource.name;
    EXPECT_LT(resource.busy_seconds, 0.1) << resource.name;
  }
  EXPECT_EQ(report.stages.at(0).bytes, 0u);
  EXPECT_EQ(report.stages.at(1).bytes, 10u);
  EXPECT_GE(report.stages.at(1).busy_seconds, 0.1);
}

// A program's function for warnings need not be thread-safe.
TEST(ObserverOfSorts, LetsOneOfThemWriteAMessageAtATime) {
  Observer whole(ProgressMode::kNever);
  Observer left(whole, "left input");
  Observer right(whole, "right input");
  int messages = 0;
  std::vector<std::thread> threads;
  for (Observer* const observer : {&left, &right}) {
    threads.emplace_back([&messages, observer] {
      for (int i = 0; i < 10'000; ++i) observer->make_way_for([&] { ++messages; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(messages, 20'000);
}

}  // namespace
}  // namespace sortie
