#include "io/output/output.hpp"
#include "io/output/open_output.hpp"

#include <random>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/input/input.hpp"
#include "io/input/open_input.hpp"
#include "io/io_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::error_of;
using test::read_whole_file;
using test::write_whole_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// The parameter says whether every file of the file system needs a name.
class OutputTest : public testing::TestWithParam<bool> {
 protected:
  static test::FaultPlan plan() {
    test::FaultPlan plan;
    plan.needs_names = GetParam();
    return plan;
  }

  std::string target() const { return directory_ / "target"; }

  unsigned mode(const std::string& path) {
    struct stat status;
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> posix_files_ = make_posix_file_system();
  std::unique_ptr<FileSystem> files_ = std::make_unique<test::FaultyFileSystem>(*posix_files_, plan());
};

INSTANTIATE_TEST_SUITE_P(FileSystems, OutputTest, testing::Bool(),
                         [](const auto& files) { return files.param ? "NeedsNames" : "HasUnlinkedFiles"; });

TEST_P(OutputTest, WritesBesideTheTargetAndRenames) {
  write_whole_file(target(), "old");
  const auto output = open_output(*files_, target());
  output->write(as_bytes("new "));
  EXPECT_EQ(read_whole_file(target()), "old");
  const auto names = directory_.names();
  if (GetParam()) {
    ASSERT_EQ(names.size(), 2u);
    EXPECT_THAT(*names.begin(), testing::MatchesRegex("\\.target\\.sortie-[a-z0-9]{6}"));
  } else {
    EXPECT_THAT(names, ElementsAre("target"));
  }
  output->write(as_bytes("contents"));
  output->finish();
  EXPECT_EQ(read_whole_file(target()), "new contents");
  EXPECT_THAT(directory_.names(), ElementsAre("target"));
}

TEST_P(OutputTest, WithoutFinishNothingHappened) {
  write_whole_file(target(), "old");
  open_output(*files_, target())->write(as_bytes("new"));
  EXPECT_EQ(read_whole_file(target()), "old");
  EXPECT_THAT(directory_.names(), ElementsAre("target"));
  open_output(*files_, directory_ / "other")->write(as_bytes("new"));
  EXPECT_THAT(directory_.names(), ElementsAre("target"));
}

TEST_P(OutputTest, TakesMoreThanWasExpected) {
  const auto output = open_output(*files_, target());
  output->expect(3);
  output->write(as_bytes("more than"));
  output->write(as_bytes(" expected"));
  output->finish();
  EXPECT_EQ(read_whole_file(target()), "more than expected");
}

TEST_P(OutputTest, WritesWhereNoSpaceCanBeReserved) {
  test::FaultPlan no_space = plan();
  no_space.cannot_reserve = true;
  test::FaultyFileSystem files(*posix_files_, no_space);
  const auto output = open_output(files, target());
  output->expect(100);
  output->write(as_bytes("new"));
  output->finish();
  EXPECT_EQ(read_whole_file(target()), "new");
}

TEST_P(OutputTest, CutsWhatWasExpectedToWhatCame) {
  const auto output = open_output(*files_, target());
  output->expect(1'000'000);
  output->write(as_bytes("less"));
  output->finish();
  EXPECT_EQ(read_whole_file(target()), "less");
}

TEST_P(OutputTest, SpaceThatIsNotThereIsReportedAtOnce) {
  const auto output = open_output(*files_, target());
  EXPECT_THAT(error_of([&] { output->expect(std::uint64_t{1} << 62); }),
              StartsWith("cannot reserve space for " + target() + ": "));
}

TEST_P(OutputTest, AnInputCanBeTheOutput) {
  write_whole_file(target(), "3\n1\n2\n");
  const auto input = open_input(*files_, target());
  const auto output = open_output(*files_, target());
  output->write(as_bytes("1\n2\n3\n"));
  output->finish();
  EXPECT_EQ(test::read_all(*input), "3\n1\n2\n");
  EXPECT_EQ(read_whole_file(target()), "1\n2\n3\n");
}

TEST_P(OutputTest, ANewTargetGetsTheUsualMode) {
  const mode_t usual = ::umask(027);
  open_output(*files_, target())->finish();
  ::umask(usual);
  EXPECT_EQ(mode(target()), 0640u);
}

TEST_P(OutputTest, AnExistingTargetKeepsItsMode) {
  write_whole_file(target(), "old");
  ASSERT_EQ(::chmod(target().c_str(), 0604), 0);
  open_output(*files_, target())->finish();
  EXPECT_EQ(mode(target()), 0604u);
}

TEST_P(OutputTest, AnExistingTargetKeepsItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to give a file away";
  write_whole_file(target(), "old");
  ASSERT_EQ(::chown(target().c_str(), 12345, 12346), 0);
  open_output(*files_, target())->finish();
  struct stat status;
  ASSERT_EQ(::stat(target().c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 12345u);
  EXPECT_EQ(status.st_gid, 12346u);
}

TEST_P(OutputTest, FollowsASymbolicLink) {
  std::filesystem::create_directory(directory_ / "elsewhere");
  write_whole_file(directory_ / "elsewhere/real", "old");
  ASSERT_EQ(::symlink("elsewhere/real", target().c_str()), 0);
  const auto output = open_output(*files_, target());
  output->write(as_bytes("new"));
  output->finish();
  EXPECT_TRUE(std::filesystem::is_symlink(target()));
  EXPECT_EQ(read_whole_file(directory_ / "elsewhere/real"), "new");
}

TEST_P(OutputTest, FollowsASymbolicLinkToNothing) {
  ASSERT_EQ(::symlink("real", target().c_str()), 0);
  const auto output = open_output(*files_, target());
  output->write(as_bytes("new"));
  output->finish();
  EXPECT_EQ(read_whole_file(directory_ / "real"), "new");
  EXPECT_THAT(directory_.names(), ElementsAre("real", "target"));
}

TEST_P(OutputTest, ALongNameFits) {
  const std::string longest = directory_ / std::string(255, 'n');
  const auto output = open_output(*files_, longest);
  output->write(as_bytes("new"));
  output->finish();
  EXPECT_EQ(read_whole_file(longest), "new");
}

TEST_P(OutputTest, RefusesWhatCannotBeWritten) {
  EXPECT_EQ(error_of([&] { open_output(*files_, directory_.path().string()); }),
            "open failed: " + directory_.path().string() + ": Is a directory");
  EXPECT_EQ(error_of([&] { open_output(*files_, directory_ / "missing/target"); }),
            "open failed: " + (directory_ / "missing/target") +
                ": No such file or directory; make its folder first, or name another file");
  EXPECT_THAT(error_of([&] { open_output(*files_, directory_ / "missing/"); }), HasSubstr("Is a directory"));
  EXPECT_THAT(error_of([&] { open_output(*files_, directory_ / "missing/x/"); }), HasSubstr("No such file"));
  EXPECT_THAT(error_of([&] { open_output(*files_, ""); }), StartsWith("open failed: ''"));
}

TEST_P(OutputTest, RefusesAReadOnlyDirectory) {
  std::filesystem::permissions(directory_.path(), std::filesystem::perms{0555});
  const test::Unprivileged unprivileged;
  EXPECT_EQ(error_of([&] { open_output(*files_, target()); }), "open failed: " + target() + ": Permission denied");
}

TEST_P(OutputTest, RefusesAReadOnlyFile) {
  write_whole_file(target(), "old");
  std::filesystem::permissions(directory_.path(), std::filesystem::perms{0777});
  ASSERT_EQ(::chmod(target().c_str(), 0444), 0);
  const test::Unprivileged unprivileged;
  EXPECT_EQ(error_of([&] { open_output(*files_, target()); }), "open failed: " + target() + ": Permission denied");
}

TEST_P(OutputTest, WritesDevicesInPlace) {
  const auto null = open_output(*files_, "/dev/null");
  null->expect(3);
  null->write(as_bytes("new"));
  null->finish();
  EXPECT_THAT(error_of([&] { open_output(*files_, "/dev/full")->write(as_bytes("new")); }),
              StartsWith("write failed: /dev/full: No space left on device"));
}

TEST_P(OutputTest, WritesANamedPipeInPlace) {
  ASSERT_EQ(::mkfifo(target().c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_whole_file(target()); });
  {
    const auto output = open_output(*files_, target());
    output->write(as_bytes("through the pipe"));
    output->finish();
  }
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(target()));
}

TEST_P(OutputTest, WritesStandardOutput) {
  {
    const test::Redirection redirected(STDOUT_FILENO, ::open(target().c_str(), O_CREAT | O_WRONLY, 0600));
    const auto output = open_output(*files_, "-");
    output->expect(100);
    output->write(as_bytes("one "));
    output->write(as_bytes("two"));
    output->finish();
  }
  EXPECT_EQ(read_whole_file(target()), "one two");
}

TEST_P(OutputTest, CompressesByTheSuffix) {
  std::mt19937 random(5);
  std::string contents;
  for (int i = 0; i < 200'000; ++i) contents += std::to_string(random() % 1000) + "\n";
  for (const std::string suffix : {".gz", ".zst", ".bz2"}) {
    const std::string path = target() + suffix;
    const auto output = open_output(*files_, path);
    output->expect(contents.size());
    for (std::size_t at = 0; at < contents.size(); at += 77'777) output->write(as_bytes(contents.substr(at, 77'777)));
    output->finish();
    EXPECT_LT(read_whole_file(path).size(), contents.size() * 2 / 3) << suffix;
    EXPECT_EQ(test::read_all(*open_input(*files_, path)), contents) << suffix;
  }
}

}  // namespace
}  // namespace sortie
