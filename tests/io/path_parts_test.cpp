#include "io/paths/paths.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

TEST(PathParts, ADirectoryIsWhatStandsBeforeTheName) {
  EXPECT_EQ(directory_of("name"), ".");
  EXPECT_EQ(directory_of("/name"), "/");
  EXPECT_EQ(directory_of("a/b/name"), "a/b/");
}

TEST(PathParts, ANameIsWhatStandsBehindTheDirectory) {
  EXPECT_EQ(name_in_directory("name"), "name");
  EXPECT_EQ(name_in_directory("/name"), "name");
  EXPECT_EQ(name_in_directory("a/b/name"), "name");
}

TEST(PathParts, EndSlashesGoButTheRootStays) {
  EXPECT_EQ(without_end_slashes("a/b//"), "a/b");
  EXPECT_EQ(without_end_slashes("//"), "/");
  EXPECT_EQ(without_end_slashes(""), "");
}

TEST(PathParts, ARealPathHasNoLinks) {
  const test::TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "there");
  std::filesystem::create_directory_symlink("there", directory / "link");
  EXPECT_EQ(real_path(directory / "link"), real_path(directory.path().string()).value() + "/there");
  EXPECT_EQ(real_path(directory / "missing"), std::nullopt);
}

}  // namespace
}  // namespace sortie
