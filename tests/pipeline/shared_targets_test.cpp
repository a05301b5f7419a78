// A file that is read, or written for one purpose, is refused as a target for another, by whatever path it is named.
#include <unistd.h>

#include "pipeline/sort_support.hpp"

namespace sortie {
namespace {

using namespace test;

constexpr const char* kRefusal = ": name another file";

class SharedTargets : public testing::Test {
 protected:
  SharedTargets() {
    job_.options.format = parsed("lines");
    std::filesystem::create_directory(in("folder"));
    std::filesystem::create_directory(in("closed"));
    std::filesystem::permissions(in("closed"), std::filesystem::perms::owner_all);
  }

  std::string in(const std::string& name) const { return job_.directory / name; }

  /// Both the sort and its plan are refused, and nothing changes.
  void expect_refusal(const std::string& message) {
    const std::set<std::string> names = job_.directory.names();
    EXPECT_EQ(error_of([&] { sort(job_.options); }), message + kRefusal);
    EXPECT_EQ(error_of([&] { plan(job_.options); }), message + kRefusal);
    EXPECT_EQ(job_.directory.names(), names);
    EXPECT_EQ(read_whole_file(job_.options.inputs[0]), "b\na\n");
  }

  void expect_done() {
    sort(job_.options);
    EXPECT_EQ(read_whole_file(job_.options.output), "a\nb\n");
  }

  SortForTest job_{parsed("lines"), {"b\na\n"}};
  const std::string input_ = job_.options.inputs[0];
};

TEST_F(SharedTargets, ATraceIsNoInput) {
  std::filesystem::create_hard_link(input_, in("hard"));
  std::filesystem::create_symlink(input_, in("soft"));
  std::filesystem::create_directory_symlink(job_.directory.path(), in("here"));
  for (const std::string& path : {input_, in("hard"), in("soft"), in("folder/../input0"), in("here/input0")}) {
    job_.options.trace_path = path;
    expect_refusal("the trace cannot be written to " + path + ", which is also an input");
    EXPECT_NE(error_of([&] { check(job_.options); }).find("which is also an input"), std::string::npos);
    EXPECT_EQ(read_whole_file(input_), "b\na\n");
  }
}

TEST_F(SharedTargets, StatisticsAreNoInput) {
  job_.options.stats_json_path = input_;
  expect_refusal("the statistics cannot be written to " + input_ + ", which is also an input");
}

TEST_F(SharedTargets, ATraceIsNotTheOutputBeforeEitherIsThere) {
  std::filesystem::create_symlink("output", in("dangling"));
  for (const std::string& path : {in("output"), in("./output"), in("folder/..//output"), in("dangling")}) {
    job_.options.trace_path = path;
    expect_refusal("the trace cannot be written to " + path + ", which is also the output");
  }
  job_.options.trace_path.clear();
  job_.options.stats_json_path = in("folder/../output");
  expect_refusal("the statistics cannot be written to " + in("folder/../output") + ", which is also the output");
}

TEST_F(SharedTargets, StatisticsAreNotTheTrace) {
  job_.options.stats_json_path = in("one");
  job_.options.trace_path = in("./one");
  expect_refusal("the statistics cannot be written to " + in("one") + ", which is also the trace");
}

TEST_F(SharedTargets, TheReportPageIsNothingElse) {
  job_.options.report_path = input_;
  expect_refusal("the report page cannot be written to " + input_ + ", which is also an input");
  job_.options.report_path = in("folder/../output");
  expect_refusal("the report page cannot be written to " + in("folder/../output") + ", which is also the output");
  job_.options.report_path = job_.options.trace_path = in("one");
  expect_refusal("the report page cannot be written to " + in("one") + ", which is also the trace");
}

TEST_F(SharedTargets, OtherFilesOfTheCallerAreNoTargets) {
  write_whole_file(in("seed"), "seed");
  job_.options.protected_files = {in("seed")};
  for (std::string SortOptions::*target :
       {&SortOptions::output, &SortOptions::trace_path, &SortOptions::stats_json_path, &SortOptions::report_path}) {
    const SortOptions before = job_.options;
    job_.options.*target = in("folder/../seed");
    const std::string message = error_of([&] { sort(job_.options); });
    EXPECT_TRUE(message.ends_with("which is also in use for another purpose: name another file")) << message;
    EXPECT_EQ(read_whole_file(in("seed")), "seed");
    job_.options = before;
  }
}

TEST_F(SharedTargets, NothingIsWrittenIntoTheDirectoryOfACheckpoint) {
  job_.options.scratch_directories.clear();
  job_.options.checkpoint_directory = in("closed");
  std::filesystem::create_directory(in("closed/deep"));
  std::filesystem::create_directory_symlink("closed/deep", in("link"));
  std::filesystem::create_symlink("closed/new", in("dangling"));
  for (const std::string& path : {in("closed/out"), in("closed/deep/out"), in("link/out"), in("link/../out"),
                                  in("dangling"), in("closed/missing/out"), in("folder/../closed/out")}) {
    job_.options.output = path;
    expect_refusal("the output cannot be written to " + path + ", which lies in the checkpoint's directory");
    job_.options.output = in("output");
    job_.options.trace_path = path;
    expect_refusal("the trace cannot be written to " + path + ", which lies in the checkpoint's directory");
    job_.options.trace_path.clear();
  }
  expect_done();
  EXPECT_TRUE(std::filesystem::exists(in("closed/deep")));
}

TEST_F(SharedTargets, NothingIsWrittenIntoTheDirectoryThatACheckpointWillMake) {
  job_.options.scratch_directories.clear();
  job_.options.checkpoint_directory = in("new/");
  job_.options.trace_path = in("folder/../new/trace");
  expect_refusal("the trace cannot be written to " + job_.options.trace_path +
                 ", which lies in the checkpoint's directory");
  job_.options.trace_path = in("newer");  // beside that directory, not in it
  expect_done();
}

TEST_F(SharedTargets, TheOutputMayBeAnInput) {
  job_.options.output = input_;
  job_.options.trace_path = in("trace");
  job_.options.stats_json_path = in("stats");
  expect_done();
}

TEST_F(SharedTargets, DevicesMayBeUsedAsOftenAsOneLikes) {
  job_.options.inputs.push_back("/dev/null");
  job_.options.trace_path = job_.options.stats_json_path = "/dev/null";
  expect_done();
  job_.options.output = "/dev/null";
  sort(job_.options);
}

TEST_F(SharedTargets, ARedirectedStandardInputIsAnInput) {
  const int saved = ::dup(STDIN_FILENO);
  std::FILE* const file = std::fopen(input_.c_str(), "re");
  ASSERT_NE(file, nullptr);
  ::dup2(::fileno(file), STDIN_FILENO);
  const std::string path = input_;
  job_.options.trace_path = path;
  for (const std::vector<std::string>& inputs : {std::vector<std::string>{"-"}, std::vector<std::string>{}}) {
    job_.options.inputs = inputs;
    EXPECT_EQ(error_of([&] { sort(job_.options); }),
              "the trace cannot be written to " + path + ", which is also an input: name another file");
  }
  EXPECT_EQ(read_whole_file(path), "b\na\n");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  std::fclose(file);
}

}  // namespace
}  // namespace sortie
