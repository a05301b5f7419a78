#include "observe/observer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <nlohmann/json.hpp>
#include <sortie/error.hpp>

namespace sortie {
namespace {

class TraceFile : public testing::Test {
 protected:
  ~TraceFile() override { std::filesystem::remove(path_); }

  nlohmann::json trace() const {
    std::ifstream file(path_);
    return nlohmann::json::parse(file);
  }

  /// Events of whole duration ("X"), not the names of tracks ("M").
  std::vector<nlohmann::json> spans() const {
    std::vector<nlohmann::json> found;
    const nlohmann::json whole = trace();
    for (const nlohmann::json& event : whole["traceEvents"]) {
      if (event["ph"] == "X") found.push_back(event);
    }
    return found;
  }

  std::string path_ = testing::TempDir() + "sortie-trace-" + std::to_string(::getpid()) + ".json";
};

TEST(Observer, SumsStagesInOrderOfFirstUse) {
  Observer observer(ProgressMode::kNever, "");
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
  Observer observer(ProgressMode::kNever, "");
  {
    auto span = observer.span("wait");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_GE(observer.stages().at(0).busy_seconds, 0.020);
  EXPECT_LT(observer.stages().at(0).busy_seconds, 10);
}

TEST(Observer, TakesTheBytesThatAreKnownAtTheEnd) {
  Observer observer(ProgressMode::kNever, "");
  {
    auto span = observer.span("read");
    span.set_bytes(42);
  }
  EXPECT_EQ(observer.stages().at(0).bytes, 42u);
}

TEST(Observer, AddsUpOverThreads) {
  Observer observer(ProgressMode::kNever, "");
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

TEST_F(TraceFile, HasOneTrackForEachThreadAndOneForThePhases) {
  {
    Observer observer(ProgressMode::kNever, path_);
    observer.begin_phase("formation", 100);
    { auto span = observer.span("read", 10); }
    std::thread([&observer] { auto span = observer.span("sort", 20); }).join();
    observer.begin_phase("merge", 0);
    observer.finish();
  }
  std::set<int> tracks;
  std::vector<std::string> names;
  for (const nlohmann::json& span : spans()) {
    tracks.insert(span["tid"].get<int>());
    names.push_back(span["name"]);
    EXPECT_GE(span["ts"].get<double>(), 0);
    EXPECT_GE(span["dur"].get<double>(), 0);
  }
  EXPECT_EQ(tracks.size(), 3u);
  EXPECT_EQ(names, (std::vector<std::string>{"read", "sort", "formation", "merge"}));
  EXPECT_EQ(spans()[1]["args"]["bytes"], 20);
}

TEST_F(TraceFile, NamesEveryTrack) {
  {
    Observer observer(ProgressMode::kNever, path_);
    auto span = observer.span("read");
  }
  std::vector<std::string> names;
  const nlohmann::json whole = trace();
  for (const nlohmann::json& event : whole["traceEvents"]) {
    if (event["ph"] == "M") names.push_back(event["args"]["name"]);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"phases", "thread 1"}));
}

TEST_F(TraceFile, IsValidWithoutAnySpan) {
  { Observer observer(ProgressMode::kNever, path_); }
  EXPECT_EQ(spans().size(), 0u);
}

TEST_F(TraceFile, IsCompleteWhenTheSortFails) {
  try {
    Observer observer(ProgressMode::kNever, path_);
    observer.begin_phase("formation", 0);
    auto span = observer.span("read", 1);
    throw Error("disk full");
  } catch (const Error&) {
  }
  EXPECT_EQ(spans().size(), 2u);
}

TEST_F(TraceFile, TakesSpansAfterTheEndWithoutHarm) {
  Observer observer(ProgressMode::kNever, path_);
  observer.finish();
  std::thread([&observer] { auto span = observer.span("late"); }).join();
  observer.finish();
  EXPECT_EQ(spans().size(), 0u);
}

TEST(Observer, RefusesATraceThatCannotBeCreated) {
  try {
    Observer observer(ProgressMode::kNever, "/nonexistent/trace.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot create trace '/nonexistent/trace.json': No such file or directory");
  }
}

TEST(Observer, ReportsATraceThatCannotBeWritten) {
  Observer observer(ProgressMode::kNever, "/dev/full");
  try {
    observer.finish();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot write trace '/dev/full': No space left on device");
  }
}

}  // namespace
}  // namespace sortie
