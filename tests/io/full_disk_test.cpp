// Fills up a small file system. Whichever way bytes are written, an Error names the remedy, the target stays as it
// was, and no signal ends the process.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "io/io_support.hpp"
#include "io/mapping/mapped_file.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "support/temporary_directory.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kMegabyte = 1 << 20;

class FullDiskTest : public testing::Test {
 protected:
  void SetUp() override {
    mounted_ = ::mount("none", disk().c_str(), "tmpfs", 0, "size=32m") == 0;
    if (!mounted_) GTEST_SKIP() << "needs to mount a file system";
    test::write_whole_file(target(), "old");
  }
  ~FullDiskTest() override {
    if (mounted_) ::umount2(disk().c_str(), MNT_DETACH);
  }

  std::string disk() const { return directory_.path().string(); }
  std::string target() const { return directory_ / "target"; }
  /// The message of the exception that `work` throws; empty if it throws none.
  template <class Work>
  static std::string message_of(Work work) {
    try {
      work();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  void fill_up(std::size_t megabytes) const {
    test::write_whole_file(directory_ / "filler", std::string(megabytes * kMegabyte, 'f'));
  }

  test::TemporaryDirectory directory_;
  bool mounted_ = false;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
};

TEST_F(FullDiskTest, AMappedWriteThatFindsNoSpaceIsRefused) {
  const std::string path = directory_ / "sparse";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::ftruncate(descriptor, 64 * kMegabyte), 0);
  const std::string text(40 * kMegabyte, 'x');
  EXPECT_FALSE(write_mapped(descriptor, 0, as_bytes(text)));
  ::close(descriptor);
}

TEST_F(FullDiskTest, IsFoundBeforeAnythingIsWritten) {
  const auto output = open_output(*files_, target());
  EXPECT_NO_THROW(output->expect(30 * kMegabyte));
  EXPECT_EQ(error_of([&] { output->expect(33 * kMegabyte); }),
            "cannot reserve space for " + target() + ": No space left on device; free some space or name another file");
}

TEST_F(FullDiskTest, CountsWhatTheFileHoldsAlready) {
  const auto output = open_output(*files_, target());
  output->write(as_bytes(std::string(20 * kMegabyte, 'x')));
  EXPECT_NO_THROW(output->expect(30 * kMegabyte));
  EXPECT_THROW(output->expect(33 * kMegabyte), Error);
}

TEST_F(FullDiskTest, LeavesTheTargetAsItWasWhenItFillsUpMeanwhile) {
  for (const int threads : {1, 4}) {
    for (const std::size_t filled : test::turns_of({8UL, 12UL, 16UL, 20UL, 24UL})) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(filled) + " MB filled");
      test::with_threads(threads, [&] {
        const auto output = open_output(*files_, target());
        output->expect(28 * kMegabyte);
        // The output may be reserving space at this time, and leave none for others.
        if (threads == 1) {
          fill_up(filled);
        } else {
          static_cast<void>(message_of([&] { fill_up(filled); }));
        }
        const std::string part(7 * kMegabyte, 'x');
        const std::string message = message_of([&] {
          for (int i = 0; i < 4; ++i) output->write(as_bytes(part));
          output->finish();
        });
        if (message.empty()) {
          EXPECT_GT(threads, 1) << "more was written than there was room for";
          EXPECT_EQ(test::read_whole_file(target()).size(), 28 * kMegabyte);
        } else {
          EXPECT_THAT(message, HasSubstr("No space left on device; free some space or name another file"));
          EXPECT_EQ(test::read_whole_file(target()), "old");
        }
      });
      EXPECT_THAT(directory_.names(), ElementsAre("filler", "target"));
      test::write_whole_file(target(), "old");
      std::filesystem::remove(directory_ / "filler");
    }
  }
}

}  // namespace
}  // namespace sortie
