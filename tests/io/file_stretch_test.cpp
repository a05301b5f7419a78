#include "io/files/file_stretch.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_writable;

class FileStretchTest : public testing::Test {
 protected:
  FileStretchTest() { test::write_whole_file(path_, "0123456789"); }

  std::unique_ptr<File> open(std::vector<FileStretch> stretches) {
    shown_ = with_stretches(*files_, path_, std::move(stretches));
    return shown_->open_input(path_);
  }

  static std::string read_at(File& file, std::uint64_t offset, std::size_t bytes) {
    std::string text(bytes, '?');
    text.resize(file.read_at(offset, as_writable(text)));
    return text;
  }

  test::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "file";
  const std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  std::unique_ptr<FileSystem> shown_;
};

TEST_F(FileStretchTest, IsReadLikeAFileOfItsOwn) {
  const std::unique_ptr<File> file = open({{0, 2}, {5, 5}, {6, 9}});
  EXPECT_TRUE(file->seekable());
  EXPECT_EQ(file->size(), 5u);
  const std::string all = "01678";
  for (std::size_t offset = 0; offset <= all.size(); ++offset) {
    for (std::size_t bytes = 0; bytes < 8; ++bytes) {
      EXPECT_EQ(read_at(*file, offset, bytes), all.substr(offset, bytes)) << offset << " " << bytes;
    }
  }
  EXPECT_EQ(read_at(*file, 7, 3), "");
}

TEST_F(FileStretchTest, EndsWhereTheFileHasBecomeShorter) {
  const std::unique_ptr<File> file = open({{0, 4}, {6, 9}});
  test::write_whole_file(path_, "012");
  EXPECT_EQ(read_at(*file, 0, 7), "012");
}

TEST_F(FileStretchTest, LeavesOtherFilesAlone) {
  const std::string other = directory_ / "other";
  test::write_whole_file(other, "all of it");
  open({{0, 1}});
  EXPECT_EQ(read_at(*shown_->open_input(other), 0, 99), "all of it");
}

}  // namespace
}  // namespace sortie
