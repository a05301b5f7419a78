// Targets that no other file can replace keep their identity. A failure costs no more than the copy.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/input/input.hpp"
#include "io/io_support.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
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
using testing::IsEmpty;

constexpr char kWhere[] = "; the complete result is in ";

/// A target with a second name, and a directory for the result.
struct Position {
  explicit Position(const std::string& old_contents) {
    write_whole_file(target, old_contents);
    std::filesystem::create_hard_link(target, directory / "link");
    std::filesystem::create_directory(scratch);
  }

  std::unique_ptr<Output> open(FileSystem& files, TemporaryNames* names = nullptr) const {
    return open_output(files, target, {}, names, {scratch});
  }

  bool scratch_is_empty() const { return std::filesystem::is_empty(scratch); }

  test::TemporaryDirectory directory;
  std::string target = directory / "target";
  std::string scratch = directory / "scratch";
};

ino_t inode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_ino;
}

/// The parameter says whether every file of the file system needs a name.
class RewritingOutputTest : public testing::TestWithParam<bool> {
 protected:
  test::FaultPlan plan() const {
    test::FaultPlan plan;
    plan.needs_names = GetParam();
    return plan;
  }

  std::unique_ptr<FileSystem> posix_files_ = make_posix_file_system();
  test::FaultyFileSystem files_{*posix_files_, plan()};
};

INSTANTIATE_TEST_SUITE_P(FileSystems, RewritingOutputTest, testing::Bool(),
                         [](const auto& files) { return files.param ? "NeedsNames" : "HasUnlinkedFiles"; });

TEST_P(RewritingOutputTest, ATargetKeepsItsOtherNames) {
  for (const std::string old_contents : {"old", "old contents that are longer than the new ones", ""}) {
    const Position position(old_contents);
    const ino_t inode = inode_of(position.target);
    const auto output = position.open(files_);
    output->expect(12);
    output->write(as_bytes("new "));
    output->write(as_bytes("contents"));
    EXPECT_EQ(read_whole_file(position.target), old_contents);
    output->finish();
    EXPECT_EQ(read_whole_file(position.target), "new contents");
    EXPECT_EQ(read_whole_file(position.directory / "link"), "new contents");
    EXPECT_EQ(inode_of(position.target), inode);
    EXPECT_TRUE(position.scratch_is_empty());
    EXPECT_THAT(position.directory.names(), ElementsAre("link", "scratch", "target"));
  }
}

TEST_P(RewritingOutputTest, WithoutFinishNothingHappened) {
  const Position position("old");
  position.open(files_)->write(as_bytes("new"));
  EXPECT_EQ(read_whole_file(position.target), "old");
  EXPECT_TRUE(position.scratch_is_empty());
}

TEST_P(RewritingOutputTest, CopiesALongResult) {
  const Position position("old");
  std::string contents;
  for (int i = 0; i < 1'500'000; ++i) contents += std::to_string(i);
  const auto output = position.open(files_);
  output->write(as_bytes(contents));
  output->finish();
  EXPECT_EQ(read_whole_file(position.target), contents);
}

// Either the target is as it was and nothing is left, or the message says where the result is.
TEST_P(RewritingOutputTest, EveryFailedOperationLeavesTheOldOrTheWholeNewContents) {
  int kept = 0;
  for (const std::string old_contents : {"old", "longer than what comes"}) {
    for (const bool from_then_on : {false, true}) {
      std::uint64_t first = 1;
      for (bool reached = true; reached; ++first) {
        SCOPED_TRACE("operation " + std::to_string(first));
        const Position position(old_contents);
        test::FaultPlan faults = plan();
        faults.first = first;
        faults.from_then_on = from_then_on;
        test::FaultyFileSystem faulty(*posix_files_, faults);
        std::string message;
        try {
          const auto output = position.open(faulty);
          output->expect(12);
          output->write(as_bytes("new contents"));
          output->finish();
        } catch (const Error& error) {
          message = error.what();
        }
        reached = faulty.operations() >= first;
        const std::size_t where = message.find(kWhere);
        if (where != std::string::npos) {
          ++kept;
          EXPECT_EQ(read_whole_file(message.substr(where + sizeof kWhere - 1)), "new contents");
          continue;
        }
        EXPECT_TRUE(position.scratch_is_empty());
        EXPECT_EQ(read_whole_file(position.target), message.empty() ? "new contents" : old_contents);
      }
      EXPECT_GT(first, 12u) << "fewer operations than such an output needs";
    }
  }
  EXPECT_GE(kept, 8);
}

// remove_files() runs during the copy, as on a signal.
TEST_P(RewritingOutputTest, ACopyThatIsBrokenOffLeavesTheResultAndSaysWhere) {
  const Position position("old");
  TemporaryNames names;
  for (std::uint64_t first = 1;; ++first) {
    test::FaultPlan faults = plan();
    faults.first = first;
    test::FaultyFileSystem faulty(*posix_files_, faults);
    std::unique_ptr<Output> output;
    const std::string message = error_of([&] {
      output = position.open(faulty, &names);
      output->write(as_bytes("new contents"));
      output->finish();
    });
    if (message.find(kWhere) == std::string::npos) {
      EXPECT_TRUE(names.remove_files().owns_lock());
      EXPECT_THAT(names.farewells(), IsEmpty());
      EXPECT_TRUE(position.scratch_is_empty());
      if (::testing::Test::HasFailure()) return;
      continue;
    }
    const auto lock = names.remove_files();
    const std::string result = message.substr(message.find(kWhere) + sizeof kWhere - 1);
    EXPECT_THAT(names.farewells(), ElementsAre(position.target + " is incomplete" + kWhere + result));
    EXPECT_EQ(read_whole_file(result), "new contents");
    return;
  }
}

TEST(RewritingOutput, LongResultsNeedRoomForTheTargetAtOnce) {
  const Position position("old");
  const auto posix_files = make_posix_file_system();
  test::FaultPlan no_room;
  no_room.free_bytes = 100;
  test::FaultyFileSystem files(*posix_files, no_room);
  const auto output = position.open(files);
  output->expect(103);
  EXPECT_THAT(error_of([&] { output->expect(104); }), HasSubstr(position.target + ": No space left on device"));
}

TEST(RewritingOutput, KeepsAttributesOfUsers) {
  const test::TemporaryDirectory directory;
  const std::string target = directory / "target";
  write_whole_file(target, "old");
  if (::setxattr(target.c_str(), "user.note", "kept", 4, 0) != 0) GTEST_SKIP() << "no attributes here";
  const auto files = make_posix_file_system();
  const auto output = open_output(*files, target);
  output->write(as_bytes("new"));
  output->finish();
  char note[5] = {};
  EXPECT_EQ(::getxattr(target.c_str(), "user.note", note, 4), 4);
  EXPECT_STREQ(note, "kept");
  EXPECT_EQ(read_whole_file(target), "new");
}

TEST(RewritingOutput, KeepsTheOwnerWhereItCannotBeGivenToANewFile) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to make a file of another user";
  const Position position("old");
  ::unlink((position.directory / "link").c_str());
  for (const std::string& path : {position.directory.path().string(), position.scratch}) ::chmod(path.c_str(), 0777);
  ::chmod(position.target.c_str(), 0666);
  const ino_t inode = inode_of(position.target);
  {
    const test::Unprivileged unprivileged;
    const auto files = make_posix_file_system();
    const auto output = position.open(*files);
    output->write(as_bytes("new"));
    output->finish();
  }
  EXPECT_EQ(read_whole_file(position.target), "new");
  EXPECT_EQ(inode_of(position.target), inode);
}

TEST(RewritingOutput, ComesToTargetsInDirectoriesThatMayNotBeWritten) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  const Position position("old");
  const std::string closed = position.directory / "closed";
  std::filesystem::create_directory(closed);
  for (const std::string& path : {position.directory.path().string(), closed}) ::chmod(path.c_str(), 0755);
  ::chmod(position.scratch.c_str(), 0777);
  for (const mode_t mode : {0644, 0200}) {
    const std::string target = closed + "/" + std::to_string(mode);
    write_whole_file(target, "old");
    ASSERT_EQ(::chown(target.c_str(), 65534, 0), 0);
    ASSERT_EQ(::chmod(target.c_str(), mode), 0);
    {
      const test::Unprivileged unprivileged;
      const auto files = make_posix_file_system();
      const auto output = open_output(*files, target, {}, nullptr, {position.scratch});
      output->write(as_bytes("new"));
      output->finish();
    }
    EXPECT_EQ(read_whole_file(target), "new");
  }
}

}  // namespace
}  // namespace sortie
