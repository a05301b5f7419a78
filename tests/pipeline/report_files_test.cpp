// The files that report on a sort are written beside their targets. They are complete or not there.
#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr std::string SortOptions::*kPaths[] = {&SortOptions::trace_path, &SortOptions::stats_json_path,
                                                &SortOptions::report_path};

class ReportFiles : public testing::Test {
 protected:
  ReportFiles() {
    write_whole_file(trace_, "old trace");
    write_whole_file(stats_, "old statistics");
    write_whole_file(page_, "old page");
    job_.options.trace_path = trace_;
    job_.options.stats_json_path = stats_;
    job_.options.report_path = page_;
  }

  SortForTest job_{parsed("lines"), {"b\na\n"}};
  const std::string trace_ = job_.directory / "trace.json";
  const std::string stats_ = job_.directory / "stats.json";
  const std::string page_ = job_.directory / "page.html";
};

TEST_F(ReportFiles, ReplaceOlderOnesWhenTheSortIsDone) {
  std::filesystem::permissions(stats_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  job_.run();
  EXPECT_TRUE(read_whole_file(trace_).ends_with("\n]}\n"));
  EXPECT_TRUE(read_whole_file(stats_).ends_with("\n}\n"));
  EXPECT_TRUE(read_whole_file(page_).ends_with("</html>\n"));
  EXPECT_EQ(std::filesystem::status(stats_).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(ReportFiles, StayAsTheyWereIfTheSortFails) {
  job_.options.format = parsed("u64");
  EXPECT_THROW(sort(job_.options), Error);
  EXPECT_EQ(read_whole_file(stats_), "old statistics");
  EXPECT_EQ(read_whole_file(page_), "old page");
}

TEST_F(ReportFiles, ThatCannotBeWrittenAreErrorsBeforeTheSort) {
  for (std::string SortOptions::*path : kPaths) {
    SortOptions options = job_.options;
    options.*path = job_.directory / "missing/file";
    EXPECT_NE(error_of([&] { sort(options); }).find("No such file or directory"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(options.output));
  }
}

TEST_F(ReportFiles, ThatFailLaterAreErrorsThatTellOfTheOutput) {
  for (std::string SortOptions::*path : kPaths) {
    SortOptions options = job_.options;
    options.*path = "/dev/full";
    EXPECT_EQ(error_of([&] { sort(options); }),
              "write failed: /dev/full: No space left on device; free some space or name another file; the output is "
              "complete");
    EXPECT_EQ(read_whole_file(options.output), "a\nb\n");
  }
}

}  // namespace
}  // namespace sortie
