#include "io/paths/paths.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/system_limits.hpp"
#include "io/files/file.hpp"
#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::read_whole_file;
using test::write_whole_file;

TEST(SymbolicLinks, NamesOfDescriptorsAreRecognised) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(descriptor_named("/dev/stdin"), 0);
  EXPECT_EQ(descriptor_named("/dev/fd/7"), 7);
  EXPECT_EQ(descriptor_named("/proc/self/fd/0"), 0);
  EXPECT_EQ(descriptor_named("/proc/" + std::to_string(::getpid()) + "/fd/12"), 12);
  std::filesystem::create_symlink("/dev/stderr", directory / "first");
  std::filesystem::create_symlink("first", directory / "second");
  EXPECT_EQ(descriptor_named(directory / "second"), 2);
  std::thread([] { EXPECT_EQ(descriptor_named("/proc/thread-self/fd/3"), 3); }).join();
}

TEST(SymbolicLinks, OtherNamesAreNoDescriptors) {
  const test::TemporaryDirectory directory;
  write_whole_file(directory / "1", "x");
  std::filesystem::create_symlink("loop", directory / "loop");
  for (const std::string& path :
       {directory / "1", directory / "loop", directory / "missing", std::string("/dev/null"), std::string("/dev/fd/x"),
        std::string("/dev/fd/01"), std::string("/dev/fd/"), std::string("/proc/1/fd/1"), std::string("1")}) {
    EXPECT_EQ(descriptor_named(path), std::nullopt) << path;
  }
}

TEST(SymbolicLinks, LinksOfProcToOpenFilesAreTheKernels) {
  const std::string process = "/proc/" + std::to_string(::getpid());
  EXPECT_TRUE(is_process_link(process + "/fd/0"));
  EXPECT_TRUE(is_process_link(process + "/exe"));
  EXPECT_FALSE(is_process_link("/proc/self"));
  EXPECT_FALSE(is_process_link("/proc/mounts"));
  EXPECT_FALSE(is_process_link("/proc/self/status"));
}

TEST(SymbolicLinks, OpenDescriptorsAreThoseOfOthers) {
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int next = ::dup(descriptor);
  ::close(next);
  EXPECT_THAT(open_descriptors(), testing::Contains(descriptor));
  EXPECT_THAT(open_descriptors(), testing::Not(testing::Contains(next)));
  ::close(descriptor);
}

TEST(PosixFileSystem, WritesToADescriptorWhereItStands) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "file";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::write(descriptor, "first ", 6), 6);
  const auto files = make_posix_file_system();
  const std::string name = "/dev/fd/" + std::to_string(descriptor);
  EXPECT_EQ(files->status(name).kind, FileStatus::Kind::kRegular);
  EXPECT_TRUE(files->status(name).is_stream());
  files->open_stream(name, files->status(name))->write(test::as_bytes("second "));
  ASSERT_EQ(::write(descriptor, "third", 5), 5);
  EXPECT_EQ(read_whole_file(path), "first second third");
  ::close(descriptor);
}

TEST(PosixFileSystem, OpensAnewWhatADescriptorOnlyReads) {
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const auto files = make_posix_file_system();
  const std::string name = "/dev/fd/" + std::to_string(descriptor);
  const FileStatus status = files->status(name);
  EXPECT_TRUE(status.is_stream());
  EXPECT_LT(status.descriptor, 0);
  files->open_stream(name, status)->write(test::as_bytes("bytes"));
  ::close(descriptor);
}

TEST(PosixFileSystem, ItsOwnFilesAreNotToBeHadByTheirNumbers) {
  const test::TemporaryDirectory directory;
  write_whole_file(directory / "file", "x");
  const auto files = make_posix_file_system();
  const auto file = files->open_input(directory / "file");
  for (const int number : open_descriptors()) {
    const std::string name = "/proc/self/fd/" + std::to_string(number);
    if (std::filesystem::read_symlink(name) != directory / "file") continue;
    EXPECT_EQ(files->status(name).kind, FileStatus::Kind::kMissing);
    EXPECT_THAT(test::error_of([&] { files->open_input(name); }), testing::HasSubstr("No such file"));
  }
}

}  // namespace
}  // namespace sortie
