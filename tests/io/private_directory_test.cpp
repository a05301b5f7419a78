// A directory for this user and this process alone: it is made, locked and closed to others; links are not followed.
#include "io/files/private_directory.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include <sortie/error.hpp>

#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using namespace test;

class PrivateDirectoryTest : public testing::Test {
 protected:
  std::unique_ptr<PrivateDirectory> open(const std::string& path) { return files_->open_private_directory(path); }

  std::string refusal(const std::string& path) {
    try {
      open(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  static mode_t mode_of(const std::string& path) {
    struct stat status;
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
  }

  TemporaryDirectory scratch_;
  const std::string path_ = scratch_ / "kept";
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_F(PrivateDirectoryTest, IsMadeForThisUserAlone) {
  {
    const auto directory = open(path_ + "//");
    EXPECT_TRUE(directory->is_new());
    EXPECT_EQ(directory->path(), path_);
    EXPECT_EQ(mode_of(path_), 0700U);
    EXPECT_TRUE(directory->names().empty());
  }
  EXPECT_FALSE(open(path_)->is_new());
}

TEST_F(PrivateDirectoryTest, HoldsFilesThatOutliveIt) {
  {
    const auto directory = open(path_);
    const auto file = directory->create("new");
    file->write_at(0, std::as_bytes(std::span("contents", 8)));
    file->sync();
    EXPECT_EQ(mode_of(path_ + "/new"), 0600U);
    EXPECT_EQ(file->path(), path_ + "/new");
    EXPECT_THROW(directory->create("new"), Error);
    directory->rename("new", "old");
    directory->sync();
  }
  const auto directory = open(path_);
  EXPECT_EQ(directory->names(), std::vector<std::string>{"old"});
  const auto file = directory->open("old");
  EXPECT_EQ(file->size(), 8U);
  file->truncate(4);
  EXPECT_EQ(read_whole_file(path_ + "/old"), "cont");
  directory->remove_itself();
  EXPECT_TRUE(std::filesystem::exists(path_));  // because it is not empty
  directory->remove("old");
  directory->remove_itself();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(PrivateDirectoryTest, IsOpenOnce) {
  auto directory = open(path_);
  EXPECT_EQ(
      refusal(path_),
      "directory '" + path_ + "' cannot be used: another sort is using it; wait until that has ended, or name another");
  directory.reset();
  EXPECT_EQ(refusal(path_), "");
}

TEST_F(PrivateDirectoryTest, RenamesOntoNoOtherFile) {
  const auto directory = open(path_);
  directory->create("new");
  write_whole_file(path_ + "/old", "mine");
  EXPECT_THROW(directory->rename("new", "old"), Error);
  EXPECT_EQ(read_whole_file(path_ + "/old"), "mine");
  EXPECT_TRUE(directory->remove("old"));
  EXPECT_TRUE(directory->remove("old"));  // because it is not there
  std::filesystem::create_directory(path_ + "/folder");
  EXPECT_FALSE(directory->remove("folder"));
}

TEST_F(PrivateDirectoryTest, DoesNotRemoveAnotherDirectoryThatHasTakenItsPath) {
  const auto directory = open(path_);
  std::filesystem::rename(path_, scratch_ / "moved");
  std::filesystem::create_directory(path_);
  directory->remove_itself();
  EXPECT_TRUE(std::filesystem::exists(path_));
}

// A killed sort still holds its directory while the system takes its memory back.
TEST_F(PrivateDirectoryTest, WaitsForASortThatIsEnding) {
  auto ending = open(path_);
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    ending.reset();
  });
  EXPECT_EQ(refusal(path_), "");
  end.join();
}

TEST_F(PrivateDirectoryTest, IsNotSharedWithOthers) {
  for (const mode_t mode : {0710, 0704, 0720, 0701}) {
    std::filesystem::remove(path_);
    ASSERT_EQ(::mkdir(path_.c_str(), 0700), 0);
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    EXPECT_EQ(refusal(path_), "directory '" + path_ +
                                  "' cannot be used: other users may read or write it; close it with chmod 700, or "
                                  "name another");
  }
}

TEST_F(PrivateDirectoryTest, BelongsToThisUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, who may give it to another user";
  ASSERT_EQ(::mkdir(path_.c_str(), 0700), 0);
  ASSERT_EQ(::chown(path_.c_str(), 65534, 65534), 0);
  EXPECT_EQ(refusal(path_),
            "directory '" + path_ + "' cannot be used: it belongs to another user; name one of your own");
}

TEST_F(PrivateDirectoryTest, IsNoLink) {
  ASSERT_EQ(::mkdir(path_.c_str(), 0700), 0);
  const std::string link = scratch_ / "link";
  std::filesystem::create_directory_symlink(path_, link);
  for (const std::string& name : {link, link + "/"}) {
    EXPECT_EQ(refusal(name),
              "directory '" + link + "' cannot be used: it is a symbolic link; name the directory that it leads to");
  }
}

TEST_F(PrivateDirectoryTest, IsADirectory) {
  write_whole_file(path_, "");
  EXPECT_NE(refusal(path_).find("Not a directory; choose another directory for the checkpoint"), std::string::npos);
  EXPECT_NE(refusal(scratch_ / "missing/kept").find("No such file or directory"), std::string::npos);
}

TEST_F(PrivateDirectoryTest, FollowsNoLinksToFiles) {
  const auto directory = open(path_);
  write_whole_file(scratch_ / "elsewhere", "secret");
  std::filesystem::create_symlink(scratch_ / "elsewhere", path_ + "/link");
  EXPECT_THROW(directory->open("link"), Error);
  EXPECT_THROW(directory->create("link"), Error);
  ASSERT_EQ(::mkfifo((path_ + "/pipe").c_str(), 0600), 0);
  EXPECT_THROW(directory->open("pipe"), Error);
}

}  // namespace
}  // namespace sortie
