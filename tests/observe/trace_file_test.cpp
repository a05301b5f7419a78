// The file that the Observer writes for --trace.
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

  /// What tracks ("thread_name") or their groups ("process_name") are called.
  std::vector<std::string> names_of(const char* kind) const {
    std::vector<std::string> names;
    const nlohmann::json whole = trace();
    for (const nlohmann::json& event : whole["traceEvents"]) {
      if (event["ph"] == "M" && event["name"] == kind) names.push_back(event["args"]["name"]);
    }
    return names;
  }

  std::string path_ = testing::TempDir() + "sortie-trace-" + std::to_string(::getpid()) + ".json";
};

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
  EXPECT_EQ(names, (std::vector<std::string>{"starting", "read", "sort", "formation", "merge"}));
  EXPECT_EQ(spans()[2]["args"]["bytes"], 20);
}

TEST_F(TraceFile, NamesEveryTrack) {
  {
    Observer observer(ProgressMode::kNever, path_);
    auto span = observer.span("read");
  }
  EXPECT_EQ(names_of("process_name"), (std::vector<std::string>{"sortie"}));
  EXPECT_EQ(names_of("thread_name"), (std::vector<std::string>{"phases", "reader"}));
}

TEST_F(TraceFile, NumbersThreadsWithoutAName) {
  {
    Observer observer(ProgressMode::kNever, path_);
    std::thread([&] { auto span = observer.span("sort"); }).join();
  }
  EXPECT_EQ(names_of("thread_name"), (std::vector<std::string>{"phases", "reader", "thread 2"}));
}

TEST_F(TraceFile, GoesOnWithTheTrackOfAnEarlierThreadOfTheSameName) {
  {
    Observer observer(ProgressMode::kNever, path_);
    for (int pass = 0; pass < 2; ++pass) {
      for (const char* name : {"merge lane 0", "merge lane 1"}) {
        std::thread([&] {
          observer.name_thread(name);
          auto span = observer.span("merge");
        }).join();
      }
    }
  }
  EXPECT_EQ(names_of("thread_name"), (std::vector<std::string>{"phases", "reader", "merge lane 0", "merge lane 1"}));
  std::vector<int> tracks;
  for (const nlohmann::json& span : spans()) tracks.push_back(span["tid"].get<int>());
  EXPECT_EQ(tracks, (std::vector<int>{2, 3, 2, 3, 0}));
}

TEST_F(TraceFile, GivesEveryStreamOfADeviceATrack) {
  const auto begin = std::chrono::steady_clock::now();
  const auto at = [&](int milliseconds) { return begin + std::chrono::milliseconds(milliseconds); };
  {
    Observer observer(ProgressMode::kNever, path_);
    observer.add_device_span({0, "H2D", DeviceUnit::kUpload, "H2D", at(1), at(3), 100});
    observer.add_device_span({0, "sort stream", DeviceUnit::kKernels, "sort chunk", at(3), at(4), 100});
    observer.add_device_span({1, "H2D", DeviceUnit::kUpload, "H2D", at(1), at(2), 50});
    observer.add_device_span({0, "H2D", DeviceUnit::kUpload, "H2D", at(3), at(5), 100});
  }
  EXPECT_EQ(names_of("process_name"), (std::vector<std::string>{"sortie", "GPU 0", "GPU 1"}));
  EXPECT_EQ(names_of("thread_name"), (std::vector<std::string>{"phases", "reader", "H2D", "sort stream", "H2D"}));
  const std::vector<nlohmann::json> found = spans();
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0]["pid"], found[3]["pid"]);
  EXPECT_EQ(found[0]["tid"], found[3]["tid"]);
  EXPECT_NE(found[0]["pid"], found[2]["pid"]);
  EXPECT_EQ(found[1]["name"], "sort chunk");
  EXPECT_EQ(found[1]["dur"], 1000.0);
  EXPECT_EQ(found[1]["args"]["bytes"], 100);
}

TEST_F(TraceFile, SamplesALongSortAndSaysSo) {
  constexpr int kMinutes = 10;
  constexpr int kEventsPerSecond = 1000;
  const auto begin = std::chrono::steady_clock::now();
  {
    Observer observer(ProgressMode::kNever, path_);
    for (int i = 0; i < kMinutes * 60 * kEventsPerSecond; ++i) {
      const auto at = begin + std::chrono::microseconds(1000 * i);
      observer.add_device_span(
          {0, "H2D", DeviceUnit::kUpload, "H2D", at, at + std::chrono::microseconds(900), 1 << 24});
    }
  }
  EXPECT_LT(std::filesystem::file_size(path_), 30'000'000u);
  int notes = 0;
  const nlohmann::json whole = trace();
  for (const nlohmann::json& event : whole["traceEvents"]) notes += event["ph"] == "i" ? 1 : 0;
  EXPECT_EQ(notes, 3);
}

TEST_F(TraceFile, IsValidWithoutAnySpan) {
  { Observer observer(ProgressMode::kNever, path_); }
  EXPECT_EQ(spans().size(), 1u);  // the phase
}

TEST_F(TraceFile, IsCompleteWhenTheSortFails) {
  try {
    Observer observer(ProgressMode::kNever, path_);
    observer.begin_phase("formation", 0);
    auto span = observer.span("read", 1);
    throw Error("disk full");
  } catch (const Error&) {
  }
  EXPECT_EQ(spans().size(), 3u);
}

TEST_F(TraceFile, TakesSpansAfterTheEndWithoutHarm) {
  Observer observer(ProgressMode::kNever, path_);
  observer.finish();
  std::thread([&observer] { auto span = observer.span("late"); }).join();
  observer.add_device_span({0, "late track", DeviceUnit::kKernels, "late", {}, {}, 0});
  observer.finish();
  EXPECT_EQ(spans().size(), 1u);
}

TEST(TraceFileError, RefusesAFileThatCannotBeCreated) {
  try {
    Observer observer(ProgressMode::kNever, "/nonexistent/trace.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot create trace '/nonexistent/trace.json': No such file or directory");
  }
}

TEST(TraceFileError, ReportsAFileThatCannotBeWritten) {
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
