#include "observe/progress_line.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sortie {
namespace {

TEST(FormatProgress, ShowsPhasePercentRateAndTimeLeft) {
  EXPECT_EQ(format_progress("merge", 25'000'000'000, 100'000'000'000, 10), "merge   25%  2.50 GB/s  0:30 left");
  EXPECT_EQ(format_progress("merge", 1'000'000'000, 100'000'000'000, 1), "merge    1%  1.00 GB/s  1:39 left");
  EXPECT_EQ(format_progress("merge", 1'000'000'000, 5'000'000'000'000, 1), "merge    0%  1.00 GB/s  1:23:19 left");
}

TEST(FormatProgress, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(format_progress("formation", 3'000'000'000, 0, 2), "formation  1.50 GB/s  3.00 GB done");
  EXPECT_EQ(format_progress("formation", 0, 1000, 0), "formation    0%");
  EXPECT_EQ(format_progress("sorting", 0, 0, 3), "sorting");
}

TEST(FormatProgress, NeverPassesAHundredPercent) {
  EXPECT_EQ(format_progress("merge", 1000, 1000, 1e-6), "merge  100%  1.00 GB/s");
  EXPECT_EQ(format_progress("merge", 3000, 1000, 3e-6), "merge  100%  1.00 GB/s");
}

class ProgressStream : public testing::Test {
 protected:
  ProgressStream() : file_(std::tmpfile()) {}
  ~ProgressStream() override { std::fclose(file_); }

  std::string written() {
    std::string text(static_cast<std::size_t>(std::ftell(file_)), '\0');
    std::rewind(file_);
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), file_), text.size());
    return text;
  }

  std::FILE* file_;
};

TEST_F(ProgressStream, DrawsAtMostTenTimesASecond) {
  ProgressLine line(file_);
  line.begin_phase("formation", 1 << 20);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) line.advance(1);
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  const std::string text = written();
  const auto draws = std::count(text.begin(), text.end(), '\r');
  EXPECT_GE(draws, 2);  // the phase causes the first one
  EXPECT_LE(draws, 2 + elapsed / std::chrono::milliseconds(100));
}

TEST_F(ProgressStream, MakesWayForAMessage) {
  ProgressLine line(file_);
  line.begin_phase("merge", 0);
  line.make_way_for([&] { std::fputs("message\n", file_); });
  line.begin_phase("merge", 0);
  EXPECT_EQ(written(), "\rmerge\r     \rmessage\n\rmerge");
}

TEST_F(ProgressStream, WipesTheLine) {
  ProgressLine line(file_);
  line.begin_phase("formation", 1 << 20);
  line.clear();
  const std::string text = written();
  const std::size_t second = text.find('\r', 1);
  ASSERT_NE(second, std::string::npos);
  const std::string drawn = text.substr(1, second - 1);
  EXPECT_TRUE(drawn.starts_with("formation"));
  std::string wiped(drawn.size() + 2, ' ');
  wiped.front() = wiped.back() = '\r';
  EXPECT_EQ(text.substr(second), wiped);
}

TEST(ProgressLine, TellsTheEndOfEachPhase) {
  std::vector<std::string> told;
  ProgressLine line(nullptr, [&](const Progress& progress) {
    told.push_back(std::string(progress.phase) + " " + std::to_string(progress.done_bytes) + "/" +
                   std::to_string(progress.total_bytes));
  });
  line.begin_phase("forming", 100);
  line.begin_phase("sorting", 0);
  line.begin_phase("merging", 0);
  line.advance(7);
  told.clear();
  line.finish();
  EXPECT_EQ(told, std::vector<std::string>{"merging 7/7"});
  line.finish();
  EXPECT_EQ(told.size(), 1U) << "once";
  told.clear();
  line.begin_phase("writing", 100);
  line.begin_phase("the next", 0);
  EXPECT_EQ(told, (std::vector<std::string>{"writing 0/100", "writing 100/100", "the next 0/0"}));
}

TEST_F(ProgressStream, WritesNothingIfThereWasNothingToShow) {
  ProgressLine line(file_);
  line.clear();
  EXPECT_EQ(written(), "");
}

TEST_F(ProgressStream, CoversALongerLineWithBlanks) {
  ProgressLine line(file_);
  line.begin_phase("a phase with a long name", 1);
  const std::size_t first = written().size();
  line.begin_phase("b", 1);
  EXPECT_EQ(written().size(), 2 * first);
}

TEST(ProgressLine, IsCutToTheWidthOfTheTerminal) {
  int terminal = -1;
  int screen = -1;
  const winsize size{24, 20, 0, 0};
  ASSERT_EQ(::openpty(&terminal, &screen, nullptr, nullptr, &size), 0);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(::fdopen(screen, "w"), std::fclose);
  EXPECT_TRUE(wants_progress(ProgressMode::kAuto, stream.get()));
  ProgressLine line(stream.get());
  line.begin_phase("a phase with a name longer than the line", 1);
  char text[100];
  EXPECT_EQ(::read(terminal, text, sizeof text), 1 + 19);  // all columns but the last
  ::close(terminal);
}

TEST_F(ProgressStream, AutoMeansOnlyOnATerminal) {
  EXPECT_FALSE(wants_progress(ProgressMode::kAuto, file_));
  EXPECT_TRUE(wants_progress(ProgressMode::kAlways, file_));
  EXPECT_FALSE(wants_progress(ProgressMode::kNever, file_));
}

}  // namespace
}  // namespace sortie
