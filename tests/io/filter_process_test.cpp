#include "io/files/filter_process.hpp"

#include <cstddef>
#include <fstream>
#include <span>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/thread_team.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

class FilterProcessTest : public testing::Test {
 protected:
  /// The path of a program that runs `commands`.
  std::string script(const std::string& commands) {
    const std::string path = directory_ / "program";
    std::ofstream(path) << "#!/bin/sh\n" << commands << "\n";
    ::chmod(path.c_str(), 0700);
    return path;
  }

  /// What the program makes of `text`.
  static std::string pass(FilterProcess& program, const std::string& text) {
    std::string made;
    auto left = std::as_bytes(std::span(text));
    std::byte target[64];
    while (!program.output_has_ended()) {
      const FilterProcess::Moved moved = program.pump(left, target);
      left = left.subspan(moved.taken);
      if (left.empty()) program.end_input();
      made.append(reinterpret_cast<const char*>(target), moved.made);
    }
    return made;
  }

  test::TemporaryDirectory directory_;
};

TEST_F(FilterProcessTest, PassesBytesThroughAProgram) {
  FilterProcess program(script("tr a-z A-Z"), FilterProcess::Work::kCompress);
  EXPECT_EQ(pass(program, "some text"), "SOME TEXT");
  program.finish();
}

TEST_F(FilterProcessTest, ReportsAProgramThatFails) {
  FilterProcess program(script("cat; exit 3"), FilterProcess::Work::kCompress);
  EXPECT_EQ(pass(program, "text"), "text");
  EXPECT_THROW(program.finish(), Error);
}

// A program that stalls, or lives on after its output has ended, is not waited for.
TEST_F(FilterProcessTest, IsLeftAloneWhenItsTeamIsStopped) {
  std::stop_source stop;
  ThreadTeam team(1, stop.get_token());
  team.run([&] {
    FilterProcess lives_on(script("cat; exec >&-; exec sleep 1000"), FilterProcess::Work::kCompress);
    EXPECT_EQ(pass(lives_on, "text"), "text");
    FilterProcess stalls(script("exec sleep 1000"), FilterProcess::Work::kDecompress);
    stop.request_stop();
    EXPECT_THROW(lives_on.finish(), Stopped);
    std::byte target[1];
    EXPECT_THROW(stalls.pump({}, target), Stopped);
  });
}

}  // namespace
}  // namespace sortie
