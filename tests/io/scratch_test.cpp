#include "io/files/scratch.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(ScratchSpace, TakesDirectoriesInTurn) {
  const test::TemporaryDirectory first;
  const test::TemporaryDirectory second;
  const auto files = make_posix_file_system();
  ScratchSpace scratch(*files, {first.path().string(), second.path().string()});
  EXPECT_THAT(scratch.create()->path(), HasSubstr(first.path().string()));
  EXPECT_THAT(scratch.create()->path(), HasSubstr(second.path().string()));
  EXPECT_THAT(scratch.create()->path(), HasSubstr(first.path().string()));
  EXPECT_THAT(first.names(), IsEmpty());
}

TEST(ScratchSpace, NeedsNoDirectoryBeforeSomethingIsKept) {
  const test::TemporaryDirectory good;
  const auto files = make_posix_file_system();
  ScratchSpace scratch(*files, {good / "missing"});
  EXPECT_THAT(test::error_of([&] { scratch.create(); }), HasSubstr("choose another scratch directory"));
}

TEST(ScratchSpace, LiesInMemoryIfAllOfItDoes) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  const auto lies_in_memory = [&](const std::vector<std::string>& directories) {
    return ScratchSpace(*files, directories).lies_in_memory();
  };
  const bool is_disk = !files->free_space(directory.path().string()).lies_in_memory;
  EXPECT_TRUE(lies_in_memory({"/dev/shm", "/dev/shm/"}));
  EXPECT_FALSE(lies_in_memory({"/dev/shm", "/proc"}));
  EXPECT_FALSE(lies_in_memory({"/dev/shm", directory / "missing"}));
  EXPECT_EQ(lies_in_memory({"/dev/shm", directory.path().string()}), !is_disk);
}

TEST(ScratchSpace, FindsAMissingDirectory) {
  const test::TemporaryDirectory good;
  const auto files = make_posix_file_system();
  EXPECT_THAT(test::error_of([&] {
                ScratchSpace(*files, {good.path().string(), good / "missing"}).check();
              }),
              HasSubstr("missing': No such file or directory; choose another scratch directory"));
}

TEST(ScratchSpace, FindsAnUnwritableDirectory) {
  const test::TemporaryDirectory directory;
  std::filesystem::permissions(directory.path(), std::filesystem::perms{0555});
  const auto files = make_posix_file_system();
  const test::Unprivileged unprivileged;
  EXPECT_THAT(test::error_of([&] { ScratchSpace(*files, {directory.path().string()}).check(); }),
              HasSubstr("Permission denied; choose another scratch directory"));
}

TEST(ScratchSpace, UsesTheUsualDirectoryByDefault) {
  const test::TemporaryDirectory directory;
  const char* const before = std::getenv("TMPDIR");
  const std::string saved = before == nullptr ? "" : before;
  const auto files = make_posix_file_system();
  ::setenv("TMPDIR", directory.path().c_str(), 1);
  EXPECT_THAT(ScratchSpace(*files, {}).directories(), testing::ElementsAre(directory.path().string()));
  ::unsetenv("TMPDIR");
  EXPECT_THAT(ScratchSpace(*files, {}).directories(), testing::ElementsAre("/tmp"));
  if (before != nullptr) ::setenv("TMPDIR", saved.c_str(), 1);
}

TEST(ScratchSpace, KnowsItsFileSystems) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  const ScratchSpace scratch(*files, {directory.path().string()});
  EXPECT_TRUE(scratch.uses(files->free_space(directory.path().string()).file_system));
  EXPECT_FALSE(scratch.uses(files->free_space("/proc").file_system));
}

TEST(ScratchSpace, CountsAFileSystemOnce) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  const std::string path = directory.path().string();
  const std::uint64_t once = ScratchSpace(*files, {path}).free_bytes();
  const std::uint64_t twice = ScratchSpace(*files, {path, path + "/"}).free_bytes();
  EXPECT_GT(once, 0u);
  EXPECT_LT(twice, once + once / 2);
}

}  // namespace
}  // namespace sortie
