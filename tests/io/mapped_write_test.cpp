#include "io/mapping/mapped_file.hpp"

#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

using test::as_bytes;

class MappedWriteTest : public testing::Test {
 protected:
  static constexpr std::size_t kFileBytes = 3 << 20;

  MappedWriteTest() {
    EXPECT_GE(descriptor_, 0);
    EXPECT_EQ(::ftruncate(descriptor_, kFileBytes), 0);
  }
  ~MappedWriteTest() override { ::close(descriptor_); }

  std::string contents() const { return test::read_whole_file(path_); }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "data";
  int descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT, 0600);
};

std::string text_of(std::size_t bytes) {
  std::string text(bytes, '?');
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>('a' + i % 23);
  return text;
}

TEST_F(MappedWriteTest, WritesThatRangeAndNothingElse) {
  std::string expected(kFileBytes, '\0');
  for (const std::size_t offset : test::turns_of({0, 1, 4095, 4096, 4097, 1'000'000})) {
    for (const std::size_t bytes : {0, 1, 4095, 4096, 4097, 8192, (512 << 10) - 1, (512 << 10) + 1, 1'500'000}) {
      const std::string text = text_of(bytes);
      ASSERT_TRUE(write_mapped(descriptor_, offset, as_bytes(text)));
      expected.replace(offset, bytes, text);
      ASSERT_TRUE(contents() == expected) << bytes << " bytes at " << offset;
    }
  }
}

TEST_F(MappedWriteTest, WritesUpToTheEndOfTheFile) {
  ASSERT_EQ(::ftruncate(descriptor_, 10'001), 0);
  const std::string text = text_of(10'001);
  EXPECT_TRUE(write_mapped(descriptor_, 0, as_bytes(text)));
  EXPECT_EQ(contents(), text);
}

TEST_F(MappedWriteTest, RefusesWhatIsBeyondTheEndInsteadOfDying) {
  EXPECT_FALSE(write_mapped(descriptor_, kFileBytes + 4096, as_bytes("x")));
  EXPECT_FALSE(write_mapped(descriptor_, 0, as_bytes(std::string(kFileBytes + 4097, 'x'))));
  struct stat status;
  ASSERT_EQ(::fstat(descriptor_, &status), 0);
  EXPECT_EQ(status.st_size, static_cast<off_t>(kFileBytes));
}

TEST_F(MappedWriteTest, RefusesWhatCannotBeMapped) {
  const int read_only = ::open(path_.c_str(), O_RDONLY);
  EXPECT_FALSE(write_mapped(read_only, 0, as_bytes("x")));
  ::close(read_only);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(write_mapped(ends[1], 0, as_bytes("x")));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace sortie
