#include "io/files/direct_input_file.hpp"

#include <memory>
#include <random>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using test::as_writable;

constexpr std::size_t kFileBytes = 3'000'001;

std::string random_contents(std::size_t bytes) {
  std::mt19937_64 random(11);
  std::string text(bytes, '\0');
  for (char& character : text) character = static_cast<char>(random());
  return text;
}

class DirectInputFileTest : public testing::Test {
 protected:
  DirectInputFileTest() {
    test::write_whole_file(path_, contents_);
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  }
  ~DirectInputFileTest() override { ::close(descriptor_); }

  /// Drops the file from the page cache. Returns false where this does not work: in memory file systems, or where the
  /// kernel does not report what is cached.
  bool make_cold() const {
    ::fsync(descriptor_);
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
    return !is_mostly_cached(descriptor_, 0, kFileBytes);
  }

  bool direct_reads_work() const {
    std::string block(4096, '?');
    return read_around_cache(descriptor_, 0, as_writable(block));
  }

  std::unique_ptr<DirectInputFile> open() const {
    auto file = std::make_unique<DirectInputFile>(path_, "'data'");
    file->take(Descriptor(::dup(descriptor_)), "open");
    return file;
  }

  std::string contents_ = random_contents(kFileBytes);
  test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "data";
  int descriptor_ = -1;
};

TEST_F(DirectInputFileTest, ReadsAroundTheCacheFromAnyPositionToAnyAddress) {
  if (!direct_reads_work()) GTEST_SKIP() << "the file system has no direct reads";
  constexpr std::size_t kGuardBytes = 64;
  for (const std::size_t position : {0, 1, 4095, 4096, 4097, 100'000}) {
    for (const std::size_t bytes : {0, 1, 100, 4095, 4096, 4097, 8191, 8192, 8193, 12'288, 65'537, 1'000'000}) {
      for (const std::size_t shift : {0, 1, 63, 2048, 4095}) {
        std::string memory(bytes + 8192 + 2 * kGuardBytes, '?');
        // The read goes to `shift` bytes behind a block boundary. The bytes around it must stay as they are.
        const std::size_t to_boundary = 4096 - reinterpret_cast<std::uintptr_t>(memory.data() + kGuardBytes) % 4096;
        const std::size_t begin = kGuardBytes + (to_boundary + shift) % 4096;
        std::string expected = memory;
        expected.replace(begin, bytes, contents_, position, bytes);
        ASSERT_TRUE(read_around_cache(descriptor_, position, as_writable(memory).subspan(begin, bytes)));
        ASSERT_EQ(memory, expected) << bytes << " bytes from " << position << " to an address " << shift << " too high";
      }
    }
  }
}

TEST_F(DirectInputFileTest, ReadsAroundTheCacheUpToTheEndAndNoFurther) {
  if (!direct_reads_work()) GTEST_SKIP() << "the file system has no direct reads";
  std::string text(50'000, '?');
  const std::size_t position = kFileBytes - text.size();
  EXPECT_TRUE(read_around_cache(descriptor_, position, as_writable(text)));
  EXPECT_EQ(text, contents_.substr(position));
  EXPECT_FALSE(read_around_cache(descriptor_, position + 1, as_writable(text)));
  EXPECT_FALSE(read_around_cache(descriptor_, kFileBytes + 5000, as_writable(text)));
}

TEST_F(DirectInputFileTest, SaysThatAPipeCannotBeReadAroundTheCache) {
  const int pipe = test::pipe_with(std::string(8192, 'x'));
  std::string text(4096, '?');
  EXPECT_FALSE(read_around_cache(pipe, 0, as_writable(text)));
  ::close(pipe);
}

TEST_F(DirectInputFileTest, LeavesAColdFileOutOfTheCache) {
  if (!make_cold() || !direct_reads_work()) GTEST_SKIP() << "the file cannot be thrown out of the cache";
  std::string text(kFileBytes - 7, '?');
  EXPECT_EQ(open()->read_at(7, as_writable(text)), text.size());
  EXPECT_EQ(text, contents_.substr(7));
  EXPECT_FALSE(is_mostly_cached(descriptor_, 0, kFileBytes));
}

TEST_F(DirectInputFileTest, ReadsWhatWasJustWritten) {
  contents_.replace(1'000'000, 5, "fresh");
  ASSERT_EQ(::pwrite(descriptor_, "fresh", 5, 1'000'000), 5);
  std::string text(kFileBytes, '?');
  EXPECT_EQ(open()->read_at(0, as_writable(text)), kFileBytes);
  EXPECT_EQ(text, contents_);
}

TEST_F(DirectInputFileTest, CountsOffsetsFromWhereTheFileStood) {
  make_cold();
  ::lseek(descriptor_, 1001, SEEK_SET);
  std::string text(1'000'000, '?');
  EXPECT_EQ(open()->read_at(500, as_writable(text)), text.size());
  EXPECT_EQ(text, contents_.substr(1501, text.size()));
}

TEST_F(DirectInputFileTest, GivesFewerBytesOnlyAtTheEnd) {
  make_cold();
  std::string text(kFileBytes, '?');
  EXPECT_EQ(open()->read_at(1'000'000, as_writable(text)), kFileBytes - 1'000'000);
  EXPECT_EQ(text.substr(0, kFileBytes - 1'000'000), contents_.substr(1'000'000));
  EXPECT_EQ(open()->read_at(kFileBytes, as_writable(text)), 0u);
}

TEST_F(DirectInputFileTest, KeepsNoDescriptorBesideItsOwn) {
  make_cold();
  const auto file = open();
  std::string text(kFileBytes, '?');
  file->read_at(0, as_writable(text));
  const int next = ::dup(descriptor_);
  ::close(next);
  file->read_at(0, as_writable(text));
  const int next_after = ::dup(descriptor_);
  ::close(next_after);
  EXPECT_EQ(next, next_after);
}

TEST(PageCache, CountsWhatItCannotAskForAsCached) { EXPECT_TRUE(is_mostly_cached(-1, 0, 4096)); }

}  // namespace
}  // namespace sortie
