#include "io/paths/paths.hpp"

#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

constexpr uid_t kSomebody = 12345;

class SharedDirectory : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to make links of others";
    test::write_whole_file(directory_ / "file", "x");
    ASSERT_EQ(::symlink("file", link_.c_str()), 0);
    ASSERT_EQ(::lchown(link_.c_str(), kSomebody, kSomebody), 0);
  }

  void share(mode_t mode) { ASSERT_EQ(::chmod(directory_.path().c_str(), mode), 0); }

  test::TemporaryDirectory directory_;
  std::string link_ = directory_ / "link";
};

TEST_F(SharedDirectory, LinksOfOthersAreForeign) {
  share(01777);
  EXPECT_TRUE(is_foreign_link(link_));
  EXPECT_FALSE(is_foreign_link(directory_ / "file"));
  EXPECT_FALSE(is_foreign_link(directory_ / "missing"));
  ASSERT_EQ(::lchown(link_.c_str(), ::geteuid(), ::getegid()), 0);
  EXPECT_FALSE(is_foreign_link(link_));
}

TEST_F(SharedDirectory, LinksAreTrustedWhereNotEverybodyMayWrite) {
  share(0755);
  EXPECT_FALSE(is_foreign_link(link_));
}

TEST_F(SharedDirectory, LinksOfItsOwnerAreTrusted) {
  share(01777);
  ASSERT_EQ(::chown(directory_.path().c_str(), kSomebody, kSomebody), 0);
  EXPECT_FALSE(is_foreign_link(link_));
}

TEST_F(SharedDirectory, OnlyOwnersReplaceFiles) {
  const std::string path = directory_ / "file";
  share(01777);
  EXPECT_TRUE(may_replace(path, kSomebody)) << "root may";
  {
    const test::Unprivileged unprivileged;
    EXPECT_FALSE(may_replace(path, kSomebody));
    EXPECT_TRUE(may_replace(path, ::geteuid()));
  }
  share(0777);
  const test::Unprivileged unprivileged;
  EXPECT_TRUE(may_replace(path, kSomebody));
}

}  // namespace
}  // namespace sortie
