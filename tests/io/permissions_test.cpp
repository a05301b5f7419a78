#include "io/files/permissions.hpp"

#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

constexpr char kAccess[] = "system.posix_acl_access";
constexpr char kDefault[] = "system.posix_acl_default";

void append_entry(std::string& list, unsigned tag, unsigned permissions, std::uint32_t id) {
  list += {static_cast<char>(tag), '\0', static_cast<char>(permissions), '\0'};
  list.append(reinterpret_cast<const char*>(&id), sizeof id);
}

/// User 12345 may read and write, the group may do nothing. The group bits of the mode then hold what that user may
/// do.
std::string list_with_one_more_user() {
  constexpr std::uint32_t kNoId = ~std::uint32_t{0};
  std::string list("\2\0\0\0", 4);
  append_entry(list, 0x01, 6, kNoId);  // owner
  append_entry(list, 0x02, 6, 12345);
  append_entry(list, 0x04, 0, kNoId);  // group
  append_entry(list, 0x10, 6, kNoId);  // the mask
  append_entry(list, 0x20, 0, kNoId);  // others
  return list;
}

class SetPermissions : public testing::Test {
 protected:
  SetPermissions() {
    test::write_whole_file(path_, "x");
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  }
  ~SetPermissions() override { ::close(descriptor_); }

  struct stat found() const {
    struct stat status {};
    EXPECT_EQ(::fstat(descriptor_, &status), 0);
    return status;
  }
  unsigned mode() const { return found().st_mode & 07777; }

  FileStatus like(std::uint32_t mode) const {
    FileStatus status;
    status.kind = FileStatus::Kind::kRegular;
    status.mode = mode;
    status.user = found().st_uid;
    status.group = found().st_gid;
    return status;
  }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "file";
  int descriptor_ = -1;
};

TEST_F(SetPermissions, GivesThoseOfAnotherFile) {
  ASSERT_TRUE(set_permissions(descriptor_, like(0750)));
  EXPECT_EQ(mode(), 0750u);
}

// As when an unprivileged user writes to such a file.
TEST_F(SetPermissions, GivesNewBytesNoRightsOfAnotherUser) {
  ASSERT_TRUE(set_permissions(descriptor_, like(07755)));
  EXPECT_EQ(mode(), 01755u);
}

TEST_F(SetPermissions, GivesANewFileWhatTheMaskLeaves) {
  const mode_t usual = ::umask(0137);
  const bool done = set_permissions(descriptor_, FileStatus{});
  ::umask(usual);
  ASSERT_TRUE(done);
  EXPECT_EQ(mode(), 0640u);
}

TEST_F(SetPermissions, GivesAnotherGroupNoMoreThanAllOthers) {
  FileStatus status = like(06764);
  status.user = 12345;
  status.group = 12345;
  ASSERT_EQ(::chown(path_.c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0777), 0);
  const test::Unprivileged unprivileged;
  ASSERT_TRUE(set_permissions(descriptor_, status));
  EXPECT_EQ(mode(), 0744u);
}

TEST_F(SetPermissions, TakesOverTheAccessList) {
  FileStatus status = like(0660);
  status.access_list = list_with_one_more_user();
  ASSERT_TRUE(set_permissions(descriptor_, status));
  if (access_list_of(path_).empty()) GTEST_SKIP() << "this file system has no access control lists";
  EXPECT_EQ(access_list_of(path_), status.access_list);
  EXPECT_EQ(mode(), 0660u);
}

TEST_F(SetPermissions, TakesAwayWhatTheDirectoryHasPassedOn) {
  const std::string list = list_with_one_more_user();
  if (::setxattr(directory_.path().c_str(), kDefault, list.data(), list.size(), 0) != 0) {
    GTEST_SKIP() << "this file system has no access control lists";
  }
  const std::string inheriting = directory_ / "inheriting";
  const int descriptor = ::open(inheriting.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_FALSE(access_list_of(inheriting).empty());
  EXPECT_TRUE(set_permissions(descriptor, like(0640)));
  EXPECT_EQ(access_list_of(inheriting), "");
  ::close(descriptor);
}

// Without the list, the group bits are the rights of the group itself.
TEST_F(SetPermissions, LeavesTheGroupOutWhereTheListCannotBeHad) {
  FileStatus status = like(0664);
  status.access_list = "no such list";
  ASSERT_TRUE(set_permissions(descriptor_, status));
  EXPECT_EQ(mode(), 0644u);
  EXPECT_EQ(::getxattr(path_.c_str(), kAccess, nullptr, 0), -1);
}

}  // namespace
}  // namespace sortie
