// The file that the Observer writes for --trace.
#include "observe/observer.hpp"
#include "observe/trace_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <nlohmann/json.hpp>
#include <sortie/error.hpp>

#include "io/files/file.hpp"
#include "io/output/open_output.hpp"
namespace sortie {
namespace {

class TraceFile : public testing::Test {
 protected:
  ~TraceFile() override { std::filesystem::remove(path_); }

  std::unique_ptr<Output> output() { return open_output(*files_, path_); }

  nlohmann::json trace() const {
    std::ifstream file(path_);
    return nlohmann::json::parse(file);
  }

  /// The complete events ("X"), which have a duration, without the names of tracks ("M").
  std::vector<nlohmann::json> spans() const {
    std::vector<nlohmann::json> found;
    const nlohmann::json whole = trace();
    for (const nlohmann::json& event : whole["traceEvents"]) {
      if (event["ph"] == "X") found.push_back(event);
    }
    return found;
  }

  /// The names of tracks ("thread_name") or of their groups ("process_name").
  std::vector<std::string> names_of(const char* kind) const {
    std::vector<std::string> names;
    const nlohmann::json whole = trace();
    for (const nlohmann::json& event : whole["traceEvents"]) {
      if (event["ph"] == "M" && event["name"] == kind) names.push_back(event["args"]["name"]);
    }
    return names;
  }

  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  std::string path_ = testing::TempDir() + "sortie-trace-" + std::to_string(::getpid()) + ".json";
};

TEST_F(TraceFile, HasOneTrackForEachThreadAndOneForThePhases) {
  {
    Observer observer(ProgressMode::kNever, output());
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
    Observer observer(ProgressMode::kNever, output());
    observer.name_thread("reader");
    auto span = observer.span("read");
  }
  EXPECT_EQ(names_of("process_name"), (std::vector<std::string>{"sortie"}));
  EXPECT_EQ(names_of("thread_name"), (std::vector<std::string>{"phases", "reader"}));
}

TEST_F(TraceFile, HasTracksForThePhasesAndThreadsOfEachSortOfAJob) {
  {
    Observer whole(ProgressMode::kNever, output());
    Observer left(whole, "left input");
    left.name_thread("reader");
    { auto span = left.span("read"); }
    left.begin_phase("forming runs", 10);
    left.finish();
    whole.begin_phase("joining", 0);
    whole.finish();
  }
  EXPECT_EQ(names_of("thread_name"), (std::vector<std::string>{"phases", "left input: reader", "left input: phases"}));
  std::vector<std::string> names;
  for (const nlohmann::json& span : spans()) names.push_back(span["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"read", "starting", "forming runs", "starting", "joining"}));
}

TEST_F(TraceFile, KeepsNamesOfAnyLengthAndWithAnyBytes) {
  using testing::Contains;
  const std::string long_name(200'000, 'n');
  const std::string odd_name = "a \"quoted\" \\ name\n\t\x01";
  {
    const auto origin = TraceWriter::TimePoint();
    TraceWriter writer(output(), origin);
    writer.name_thread(odd_name);
    writer.add_span(long_name, origin, origin + std::chrono::microseconds(3), 1);
    writer.add_span("no UTF-8: \xff", origin, origin + std::chrono::microseconds(3), 1);
    writer.add_phase("phases", odd_name, origin, origin + std::chrono::microseconds(3), 1);
  }
  EXPECT_THAT(names_of("thread_name"), Contains(odd_name));
  const auto found = spans();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0]["name"], long_name);
  EXPECT_EQ(found[1]["name"], "no UTF-8: \xef\xbf\xbd");
  EXPECT_EQ(found[2]["name"], odd_name);
}

TEST_F(TraceFile, NumbersThreadsWithoutAName) {
  {
    Observer observer(ProgressMode::kNever, output());
    observer.name_thread("reader");
    std::thread([&] { auto span = observer.span("sort"); }).join();
  }
  EXPECT_EQ(names_of("thread_name"), (std::vector<std::string>{"phases", "reader", "thread 2"}));
}

TEST_F(TraceFile, GoesOnWithTheTrackOfAnEarlierThreadOfTheSameName) {
  {
    Observer observer(ProgressMode::kNever, output());
    observer.name_thread("reader");
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
    Observer observer(ProgressMode::kNever, output());
    observer.name_thread("reader");
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
    Observer observer(ProgressMode::kNever, output());
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
  { Observer observer(ProgressMode::kNever, output()); }
  EXPECT_EQ(spans().size(), 1u);  // the phase
}

TEST_F(TraceFile, IsCompleteWhenTheSortFails) {
  try {
    Observer observer(ProgressMode::kNever, output());
    observer.begin_phase("formation", 0);
    auto span = observer.span("read", 1);
    throw Error("disk full");
  } catch (const Error&) {
  }
  EXPECT_EQ(spans().size(), 3u);
}

TEST_F(TraceFile, TakesSpansAfterTheEndWithoutHarm) {
  Observer observer(ProgressMode::kNever, output());
  observer.finish();
  std::thread([&observer] { auto span = observer.span("late"); }).join();
  observer.add_device_span({0, "late track", DeviceUnit::kKernels, "late", {}, {}, 0});
  observer.finish();
  EXPECT_EQ(spans().size(), 1u);
}

TEST_F(TraceFile, KeepsEveryPhaseOfALongSort) {
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kPhases = 50;
  {
    TraceWriter writer(output(), begin);
    writer.enter_thread();
    for (int i = 0; i < 300'000; ++i) {
      const auto at = begin + std::chrono::milliseconds(i);
      writer.add_span("read", at, at + std::chrono::microseconds(10), 1);
    }
    for (int i = 0; i < kPhases; ++i) {
      const auto at = begin + std::chrono::milliseconds(300'000 + 500 * i);
      writer.add_phase("phases", "merging runs into runs", at, at + std::chrono::milliseconds(500), 0);
    }
  }
  double end = 300e6;
  int phases = 0;
  for (const nlohmann::json& span : spans()) {
    if (span["tid"] != 0) continue;
    EXPECT_EQ(span["ts"].get<double>(), end);
    end += span["dur"].get<double>();
    ++phases;
  }
  EXPECT_EQ(phases, kPhases);
}

TEST_F(TraceFile, TakesThePlaceOfAnOlderOneWhenItIsComplete) {
  std::ofstream(path_) << "old";
  const auto contents = [&] {
    std::ifstream file(path_);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  Observer observer(ProgressMode::kNever, output());
  for (int i = 0; i < 10'000; ++i) {
    auto span = observer.span("read", 10);
  }
  EXPECT_EQ(contents(), "old");
  observer.finish();
  EXPECT_EQ(spans().size(), 10'001u);
}

TEST(TraceFileError, ReportsAFileThatCannotBeWritten) {
  const auto files = make_posix_file_system();
  Observer observer(ProgressMode::kNever, open_output(*files, "/dev/full"));
  for (int i = 0; i < 2; ++i) {
    try {
      observer.finish();
      EXPECT_EQ(i, 1) << "no error";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(),
                   "write failed: /dev/full: No space left on device; free some space or name another file");
    }
  }
}

}  // namespace
}  // namespace sortie
