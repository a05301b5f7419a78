// A failed or killed output must leave nothing behind.
#include <csignal>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/input/input.hpp"
#include "io/input/open_input.hpp"
#include "io/io_support.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::read_whole_file;
using test::write_whole_file;
using testing::ElementsAre;
using testing::HasSubstr;

/// The parameter says whether every file of the file system needs a name.
class OutputFailureTest : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(FileSystems, OutputFailureTest, testing::Bool(),
                         [](const auto& files) { return files.param ? "NeedsNames" : "HasUnlinkedFiles"; });

/// Fails each operation in turn, alone or with all later ones, until the output succeeds without a fault.
void expect_all_or_nothing(FileSystem& files, const std::string& name, const std::string& old_contents,
                           bool from_then_on, bool needs_names) {
  for (std::uint64_t first = 1;; ++first) {
    SCOPED_TRACE("operation " + std::to_string(first));
    const test::TemporaryDirectory directory;
    const std::string target = directory / name;
    if (!old_contents.empty()) write_whole_file(target, old_contents);
    const auto names_before = directory.names();
    test::FaultPlan plan;
    plan.first = first;
    plan.from_then_on = from_then_on;
    plan.error_number = ENOSPC;
    plan.needs_names = needs_names;
    test::FaultyFileSystem faulty(files, plan);
    bool failed = false;
    bool complete = true;
    try {
      const auto output = open_output(faulty, target);
      output->expect(100);
      output->write(as_bytes("new "));
      output->write(as_bytes("contents"));
      output->finish();
    } catch (const Error& error) {
      failed = true;
      complete = test::output_is_complete(error.what());
      EXPECT_THAT(error.what(), HasSubstr("No space left on device"));
    }
    if (complete) {
      EXPECT_EQ(test::read_all(*open_input(files, target)), "new contents");
      EXPECT_THAT(directory.names(), ElementsAre(name));
    } else {
      EXPECT_EQ(directory.names(), names_before);
      EXPECT_EQ(old_contents.empty() ? "" : read_whole_file(target), old_contents);
    }
    if (failed || faulty.operations() >= first) continue;  // another way to name the file took over
    EXPECT_GT(first, 6u) << "fewer operations than an output needs";
    return;
  }
}

TEST_P(OutputFailureTest, EveryFailedOperationLeavesTheTargetUntouched) {
  const auto files = make_posix_file_system();
  for (const char* const old_contents : {"", "old"}) {
    for (const bool from_then_on : {false, true}) {
      expect_all_or_nothing(*files, "target", old_contents, from_then_on, GetParam());
      expect_all_or_nothing(*files, "target.gz", old_contents, from_then_on, GetParam());
      expect_all_or_nothing(*files, "target.zst", old_contents, from_then_on, GetParam());
      expect_all_or_nothing(*files, "target.bz2", old_contents, from_then_on, GetParam());
    }
  }
}

TEST(OutputOfAKilledProcess, LeavesNothing) {
  const test::TemporaryDirectory directory;
  const std::string target = directory / "target";
  write_whole_file(target, "old");
  if (!make_posix_file_system()->create_unlinked(directory / ".", {})) {
    GTEST_SKIP() << "this file system has no files without a name";
  }
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto files = make_posix_file_system();
    const auto output = open_output(*files, target);
    output->expect(1'000'000);
    output->write(as_bytes("new"));
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_whole_file(target), "old");
  EXPECT_THAT(directory.names(), ElementsAre("target"));
}

}  // namespace
}  // namespace sortie
