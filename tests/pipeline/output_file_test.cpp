// Files that programs write as sorts write theirs.
#include <sortie/output_file.hpp>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "io/input/input.hpp"
#include "io/input/open_input.hpp"
#include "support/record_data.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using namespace test;

class OutputFileTest : public testing::Test {
 protected:
  std::string unpacked(const std::string& path) {
    const std::unique_ptr<FileSystem> files = make_posix_file_system();
    const auto input = open_input(*files, path);
    std::string text(1 << 20, '?');
    text.resize(input->read(as_writable(text)));
    return text;
  }

  TemporaryDirectory directory_;
};

TEST_F(OutputFileTest, IsInItsPlaceOnceItIsFinished) {
  const std::string path = directory_ / "file";
  OutputFile file(path);
  file.write(as_bytes("one "));
  file.write(as_bytes("two"));
  EXPECT_FALSE(std::filesystem::exists(path));
  file.finish();
  EXPECT_EQ(read_whole_file(path), "one two");
}

TEST_F(OutputFileTest, LeavesTheTargetAsItWasUnlessItIsFinished) {
  write_whole_file(directory_ / "file", "old");
  {
    OutputFile file(directory_ / "file");
    file.write(as_bytes("new"));
  }
  EXPECT_EQ(read_whole_file(directory_ / "file"), "old");
  EXPECT_EQ(directory_.names(), std::set<std::string>{"file"});
}

TEST_F(OutputFileTest, KeepsOtherNamesOfItsTarget) {
  write_whole_file(directory_ / "file", "old");
  std::filesystem::create_hard_link(directory_ / "file", directory_ / "other");
  OutputFile file(directory_ / "file");
  file.write(as_bytes("new"));
  EXPECT_EQ(read_whole_file(directory_ / "other"), "old");
  file.finish();
  EXPECT_EQ(read_whole_file(directory_ / "other"), "new");
}

TEST_F(OutputFileTest, IsPackedIfItsNameSaysSo) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "line " + std::to_string(i) + "\n";
  for (const unsigned threads : {0U, 1U, 3U}) {
    OutputFile packed(directory_ / "text.gz", {.threads = threads});
    packed.write(as_bytes(text));
    packed.finish();
    EXPECT_LT(std::filesystem::file_size(directory_ / "text.gz"), text.size());
    EXPECT_EQ(unpacked(directory_ / "text.gz"), text);
  }
  OutputFile plain(directory_ / "plain.gz", {.pack = false});
  plain.write(as_bytes(text));
  plain.finish();
  EXPECT_EQ(read_whole_file(directory_ / "plain.gz"), text);
}

TEST_F(OutputFileTest, CannotBeInADirectoryThatIsMissing) {
  EXPECT_THROW(OutputFile(directory_ / "missing/file"), Error);
}

}  // namespace
}  // namespace sortie
