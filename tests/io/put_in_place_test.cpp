// A complete file takes the place of another, which keeps what it has beside its contents.
#include "io/output/put_in_place.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::error_of;
using test::read_whole_file;
using test::write_whole_file;

struct stat status_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status;
}

class PutInPlaceTest : public testing::Test {
 protected:
  PutInPlaceTest() { write_whole_file(source_, "the new contents"); }

  bool put() { return put_in_place(*make_posix_file_system(), source_, target_); }

  test::TemporaryDirectory directory_;
  std::string source_ = directory_ / "source";
  std::string target_ = directory_ / "target";
};

TEST_F(PutInPlaceTest, RenamesAFileOntoOneAndKeepsTheMode) {
  write_whole_file(target_, "old");
  std::filesystem::permissions(target_, std::filesystem::perms{0640});
  EXPECT_TRUE(put());
  EXPECT_EQ(read_whole_file(target_), "the new contents");
  EXPECT_EQ(status_of(target_).st_mode & 07777U, 0640U);
  EXPECT_FALSE(std::filesystem::exists(source_));
}

TEST_F(PutInPlaceTest, GivesANewFileTheUsualMode) {
  std::filesystem::permissions(source_, std::filesystem::perms{0600});
  const mode_t mask = ::umask(027);
  EXPECT_TRUE(put());
  ::umask(mask);
  EXPECT_EQ(status_of(target_).st_mode & 07777U, 0640U);
}

TEST_F(PutInPlaceTest, CopiesOverAFileThatHasOtherNames) {
  write_whole_file(target_, "old contents that are longer than the new ones");
  std::filesystem::create_hard_link(target_, directory_ / "link");
  const ino_t inode = status_of(target_).st_ino;
  EXPECT_FALSE(put());
  EXPECT_EQ(read_whole_file(directory_ / "link"), "the new contents");
  EXPECT_EQ(status_of(target_).st_ino, inode);
  EXPECT_EQ(read_whole_file(source_), "the new contents");
}

TEST_F(PutInPlaceTest, FollowsALink) {
  write_whole_file(directory_ / "file", "old");
  std::filesystem::create_symlink("file", target_);
  EXPECT_TRUE(put());
  EXPECT_TRUE(std::filesystem::is_symlink(target_));
  EXPECT_EQ(read_whole_file(directory_ / "file"), "the new contents");
}

TEST_F(PutInPlaceTest, LeavesTheTargetWhereTheSourceIsGone) {
  write_whole_file(target_, "old");
  std::filesystem::remove(source_);
  EXPECT_THAT(error_of([&] { put(); }), testing::HasSubstr("No such file"));
  EXPECT_EQ(read_whole_file(target_), "old");
}

}  // namespace
}  // namespace sortie
