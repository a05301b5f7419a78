#include <csignal>
#include <stop_token>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/thread_team.hpp"
#include "io/files/file.hpp"
#include "io/files/unnamed_file.hpp"
#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::as_writable;
using test::error_of;
using testing::HasSubstr;
using testing::IsEmpty;

class PosixFileSystemTest : public testing::Test {
 protected:
  std::string read_at(File& file, std::uint64_t offset, std::size_t bytes) {
    std::string text(bytes, '?');
    text.resize(file.read_at(offset, as_writable(text)));
    return text;
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_F(PosixFileSystemTest, ReadsAndWritesAtOffsets) {
  const auto file = files_->create(directory_ / "data");
  file->write_at(3, as_bytes("defg"));
  file->write_at(0, as_bytes("abc"));
  EXPECT_TRUE(file->seekable());
  EXPECT_EQ(file->size(), 7u);
  EXPECT_EQ(read_at(*file, 2, 3), "cde");
  EXPECT_EQ(read_at(*file, 5, 100), "fg");
  EXPECT_EQ(read_at(*file, 7, 1), "");
  file->truncate(2);
  EXPECT_EQ(file->size(), 2u);
  EXPECT_NO_THROW(file->sync());
  EXPECT_EQ(test::read_whole_file(directory_ / "data"), "ab");
}

TEST_F(PosixFileSystemTest, AStopEndsALongTransferButNoShortOne) {
  const auto file = files_->create(directory_ / "data");
  std::string text(32 << 20, 'x');
  std::stop_source stop;
  stop.request_stop();
  ThreadTeam team(1, stop.get_token());
  team.run([&] {
    EXPECT_NO_THROW(file->write_at(0, as_bytes(text).first(1 << 20)));
    EXPECT_THROW(file->write_at(0, as_bytes(text)), Stopped);
  });
  EXPECT_LT(file->size(), text.size());
  file->truncate(text.size());
  team.run([&] {
    EXPECT_EQ(file->read_at(0, as_writable(text).first(1 << 20)), 1u << 20);
    EXPECT_THROW(file->read_at(0, as_writable(text)), Stopped);
    EXPECT_THROW(file->write(as_bytes(text)), Stopped);
  });
}

TEST_F(PosixFileSystemTest, ReadsAndWritesInSequence) {
  const auto file = files_->create(directory_ / "data");
  file->write(as_bytes("one "));
  file->write(as_bytes("two"));
  const auto input = files_->open_input(directory_ / "data");
  std::string text(7, '?');
  EXPECT_EQ(input->read(as_writable(text)), 7u);
  EXPECT_EQ(text, "one two");
  EXPECT_EQ(input->read(as_writable(text)), 0u);
}

TEST_F(PosixFileSystemTest, NamesTheFileThatCannotBeOpened) {
  EXPECT_EQ(error_of([&] { files_->open_input("/nowhere/in\x01put"); }),
            "cannot read: '/nowhere/in'$'\\001''put': No such file or directory");
}

TEST_F(PosixFileSystemTest, RefusesADirectoryAsInput) {
  EXPECT_EQ(error_of([&] { files_->open_input(directory_.path().string()); }),
            "read failed: " + directory_.path().string() + ": Is a directory");
}

TEST_F(PosixFileSystemTest, RefusesAnInputWithoutPermission) {
  test::write_whole_file(directory_ / "secret", "x");
  ASSERT_EQ(::chmod((directory_ / "secret").c_str(), 0), 0);
  const test::Unprivileged unprivileged;
  EXPECT_THAT(error_of([&] { files_->open_input(directory_ / "secret"); }), HasSubstr("Permission denied"));
}

TEST_F(PosixFileSystemTest, CreatesOnlyNewFilesForThisUserAlone) {
  files_->create(directory_ / "new");
  struct stat status;
  ASSERT_EQ(::stat((directory_ / "new").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  EXPECT_EQ(error_of([&] { files_->create(directory_ / "new", {0600, "shown"}); }), "open failed: shown: File exists");
}

TEST_F(PosixFileSystemTest, SaysOfTargetsAloneWhatMayBeDoneToThem) {
  files_->create(directory_ / "file");
  const FileStatus seen = files_->status(directory_ / "file");
  const FileStatus target = files_->target_status(directory_ / "file");
  EXPECT_EQ(seen.kind, FileStatus::Kind::kRegular);
  EXPECT_FALSE(seen.replaceable);
  EXPECT_EQ(target.inode, seen.inode);
  EXPECT_TRUE(target.writable);
  EXPECT_TRUE(target.replaceable);
  EXPECT_EQ(files_->target_status(directory_ / "missing").kind, FileStatus::Kind::kMissing);
}

TEST_F(PosixFileSystemTest, DoesNotCreateThroughALink) {
  ASSERT_EQ(::symlink((directory_ / "victim").c_str(), (directory_ / "link").c_str()), 0);
  EXPECT_THROW(files_->create(directory_ / "link"), Error);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "victim"));
}

TEST_F(PosixFileSystemTest, UnnamedFilesLeaveNoName) {
  const auto file = files_->create_unnamed(directory_.path().string());
  file->write_at(0, as_bytes("scratch"));
  EXPECT_EQ(read_at(*file, 0, 7), "scratch");
  EXPECT_THAT(directory_.names(), IsEmpty());
}

TEST_F(PosixFileSystemTest, UnnamedFilesWorkWithoutHelpOfTheFileSystem) {
  const Descriptor file = open_and_unlink_file(directory_.path().string(), nullptr);
  ASSERT_TRUE(file.is_open());
  struct stat status;
  ASSERT_EQ(::fstat(file.number(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  EXPECT_EQ(status.st_nlink, 0u);
  EXPECT_THAT(directory_.names(), IsEmpty());
}

TEST_F(PosixFileSystemTest, UnlinkedFilesGetTheirNameLater) {
  const mode_t usual = ::umask(027);
  const auto file = files_->create_unlinked(directory_.path().string(), {0666, "shown"});
  ::umask(usual);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->path(), "shown");
  file->write_at(0, as_bytes("contents"));
  EXPECT_THAT(directory_.names(), IsEmpty());
  file->give_name(directory_ / "name");
  EXPECT_EQ(test::read_whole_file(directory_ / "name"), "contents");
  struct stat status;
  ASSERT_EQ(::stat((directory_ / "name").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST_F(PosixFileSystemTest, UnlinkedFilesTakeNobodysName) {
  test::write_whole_file(directory_ / "taken", "x");
  const auto file = files_->create_unlinked(directory_.path().string(), {0600, "shown"});
  ASSERT_TRUE(file);
  EXPECT_EQ(error_of([&] { file->give_name(directory_ / "taken"); }), "cannot create shown: File exists");
  EXPECT_EQ(test::read_whole_file(directory_ / "taken"), "x");
}

TEST_F(PosixFileSystemTest, KnowsFileSystemsWithoutUnlinkedFiles) {
  EXPECT_EQ(files_->create_unlinked("/proc", {0600, "shown"}), nullptr);
  EXPECT_EQ(error_of([&] {
              files_->create_unlinked("/nowhere", {0600, "shown"});
            }),
            "open failed: shown: No such file or directory; make its folder first, or name another file");
}

TEST_F(PosixFileSystemTest, NamesTheScratchDirectoryAndTheRemedy) {
  EXPECT_EQ(error_of([&] { files_->create_unnamed("/nowhere"); }),
            "cannot create temporary file in '/nowhere': No such file or directory; choose another scratch directory");
}

TEST_F(PosixFileSystemTest, ReleasedRangesTakeNoSpace) {
  const auto file = files_->create(directory_ / "data");
  const std::string megabyte(1 << 20, 'x');
  for (std::uint64_t i = 0; i < 4; ++i) file->write_at(i << 20, as_bytes(megabyte));
  file->sync();
  struct stat before;
  ASSERT_EQ(::stat((directory_ / "data").c_str(), &before), 0);
  file->release(1 << 20, 2 << 20);
  struct stat after;
  ASSERT_EQ(::stat((directory_ / "data").c_str(), &after), 0);
  EXPECT_EQ(after.st_size, 4 << 20);
  EXPECT_LE(after.st_blocks, before.st_blocks / 2 + 64);
  EXPECT_EQ(read_at(*file, 3 << 20, 4), "xxxx");
}

// What the disk and the cache do is the system's business: the bytes must be the same, wherever the file lies.
TEST_F(PosixFileSystemTest, WritesAroundTheCacheAndReadsAhead) {
  std::string bytes(3'000'001, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i >> 8);
  for (const std::string& directory : {std::string(directory_.path()), std::string("/dev/shm")}) {
    SCOPED_TRACE(directory);
    const auto file = files_->create_unnamed(directory);
    file->write_around_cache();
    file->write_at(1'000'003, std::span(as_bytes(bytes)).subspan(1'000'003));
    file->write_at(0, std::span(as_bytes(bytes)).first(1'000'003));
    file->start_reading(0, bytes.size());
    file->start_reading(bytes.size(), 1 << 20);
    EXPECT_TRUE(read_at(*file, 0, bytes.size()) == bytes);
  }
  const auto full = files_->open_stream("/dev/full", files_->status("/dev/full"));
  full->write_around_cache();
  EXPECT_EQ(error_of([&] { full->write_at(0, as_bytes("x")); }),
            "write failed: /dev/full: No space left on device; free some space or name another file");
}

TEST_F(PosixFileSystemTest, ReservesSpaceBeforeItIsWritten) {
  const auto file = files_->create(directory_ / "data");
  EXPECT_TRUE(file->allocate(4 << 20));
  struct stat status;
  ASSERT_EQ(::stat((directory_ / "data").c_str(), &status), 0);
  EXPECT_GE(status.st_blocks * 512, 4 << 20);
  EXPECT_THROW(file->allocate(std::uint64_t{1} << 62), Error);
}

TEST_F(PosixFileSystemTest, ReportsAFullDevice) {
  const auto file = files_->open_stream("/dev/full", files_->status("/dev/full"));
  EXPECT_EQ(error_of([&] { file->write(as_bytes("x")); }),
            "write failed: /dev/full: No space left on device; free some space or name another file");
}

TEST_F(PosixFileSystemTest, ReportsTheFileSizeLimit) {
  const auto file = files_->create(directory_ / "data");
  struct rlimit usual;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 4096, usual.rlim_max };
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = error_of([&] { file->write_at(0, as_bytes(std::string(8192, 'x'))); });
  ::setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("File too large; raise the limit on file sizes with ulimit -f"));
}

TEST_F(PosixFileSystemTest, ReportsABrokenPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const test::Redirection redirected(STDOUT_FILENO, ends[1]);
  const auto handler = std::signal(SIGPIPE, SIG_IGN);
  const std::string message = error_of([&] { files_->open_stream("-", {})->write(as_bytes("x")); });
  std::signal(SIGPIPE, handler);
  EXPECT_EQ(message, "write failed: 'standard output': Broken pipe");
}

TEST_F(PosixFileSystemTest, StandardInputCountsFromWhereItStands) {
  test::write_whole_file(directory_ / "data", "skipped rest");
  const int descriptor = ::open((directory_ / "data").c_str(), O_RDONLY);
  ASSERT_EQ(::lseek(descriptor, 8, SEEK_SET), 8);
  const test::Redirection redirected(STDIN_FILENO, descriptor);
  const auto file = files_->open_input("-");
  EXPECT_EQ(file->size(), 4u);
  EXPECT_EQ(read_at(*file, 0, 100), "rest");
}

TEST_F(PosixFileSystemTest, ClosingAStandardStreamLeavesItOpen) {
  files_->open_input("-");
  files_->open_stream("-", {});
  EXPECT_GE(::fcntl(STDIN_FILENO, F_GETFD), 0);
  EXPECT_GE(::fcntl(STDOUT_FILENO, F_GETFD), 0);
}

TEST_F(PosixFileSystemTest, TellsWhatAPathLeadsTo) {
  test::write_whole_file(directory_ / "file", "x");
  ASSERT_EQ(::chmod((directory_ / "file").c_str(), 0640), 0);
  ASSERT_EQ(::symlink("nothing", (directory_ / "dangling").c_str()), 0);
  const FileStatus file = files_->status(directory_ / "file");
  EXPECT_EQ(file.kind, FileStatus::Kind::kRegular);
  EXPECT_EQ(file.mode, 0640u);
  EXPECT_EQ(files_->status(directory_.path().string()).kind, FileStatus::Kind::kDirectory);
  EXPECT_EQ(files_->status("/dev/null").kind, FileStatus::Kind::kStream);
  EXPECT_EQ(files_->status(directory_ / "none").kind, FileStatus::Kind::kMissing);
  EXPECT_EQ(files_->status(directory_ / "dangling").kind, FileStatus::Kind::kMissing);
}

TEST_F(PosixFileSystemTest, ResolvesChainsOfLinks) {
  ASSERT_EQ(::symlink("second", (directory_ / "first").c_str()), 0);
  ASSERT_EQ(::symlink((directory_ / "target").c_str(), (directory_ / "second").c_str()), 0);
  ASSERT_EQ(::symlink("loop", (directory_ / "loop").c_str()), 0);
  EXPECT_EQ(files_->resolve_links(directory_ / "first"), directory_ / "target");
  EXPECT_EQ(files_->resolve_links("plain"), "plain");
  EXPECT_THAT(error_of([&] { files_->resolve_links(directory_ / "loop"); }), HasSubstr("symbolic links"));
}

TEST_F(PosixFileSystemTest, KnowsWhatLiesInMemory) {
  EXPECT_TRUE(files_->free_space("/dev/shm").lies_in_memory);
  EXPECT_TRUE(files_->create_unnamed("/dev/shm")->lies_in_memory());
  const std::string here = directory_.path().string();
  EXPECT_EQ(files_->create_unnamed(here)->lies_in_memory(), files_->free_space(here).lies_in_memory);
  EXPECT_FALSE(files_->open_stream("/dev/full", files_->status("/dev/full"))->lies_in_memory());
  EXPECT_FALSE(files_->free_space("/proc").lies_in_memory);
}

TEST_F(PosixFileSystemTest, TellsFreeSpace) {
  const FreeSpace here = files_->free_space(directory_.path().string());
  EXPECT_GT(here.bytes, 0u);
  EXPECT_EQ(here.file_system, files_->free_space(directory_.path().string() + "/").file_system);
  EXPECT_THROW(files_->free_space("/nowhere"), Error);
}

}  // namespace
}  // namespace sortie
