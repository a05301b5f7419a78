#include "io/files/leased_mapping.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "base/memory_region.hpp"
#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

class LeasedMappingTest : public testing::Test {
 protected:
  void SetUp() override {
    test::write_whole_file(path_, contents_);
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(descriptor_, 0);
    if (::fcntl(descriptor_, F_SETLEASE, F_RDLCK) != 0) GTEST_SKIP() << "the file system has no leases";
    ::fcntl(descriptor_, F_SETLEASE, F_UNLCK);
  }
  ~LeasedMappingTest() override { ::close(descriptor_); }

  std::unique_ptr<LeasedMapping> map() { return LeasedMapping::make(descriptor_, 0, target()); }
  std::span<std::byte> target() { return memory_.bytes().first(contents_.size()); }
  std::string seen() { return {reinterpret_cast<const char*>(memory_.data()), contents_.size()}; }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_ / "data";
  std::string contents_ = std::string(9'000'000, 'a') + "the end";
  MemoryRegion memory_{10'000'000};
  int descriptor_ = -1;
};

TEST_F(LeasedMappingTest, HasTheBytesAndKeepsWhatIsWrittenToItself) {
  const auto mapping = map();
  ASSERT_NE(mapping, nullptr);
  EXPECT_EQ(seen(), contents_);
  target()[0] = std::byte('x');
  EXPECT_EQ(seen()[0], 'x');
  EXPECT_EQ(test::read_whole_file(path_), contents_);
}

TEST_F(LeasedMappingTest, AWriterWaitsUntilTheBytesAreCopied) {
  auto mapping = map();
  ASSERT_NE(mapping, nullptr);
  const int impatient = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_EQ(impatient, -1);
  EXPECT_EQ(errno, EWOULDBLOCK);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    const int descriptor = ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    EXPECT_GE(descriptor, 0);
    ::close(descriptor);
    done = true;
  });
  while (!done) {
    EXPECT_EQ(mapping->check(), MappedCopy::Damage::kNone);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  writer.join();
  EXPECT_EQ(test::read_whole_file(path_), "");
  EXPECT_EQ(seen(), contents_);
}

TEST_F(LeasedMappingTest, IsNotMadeOfAFileThatSomebodyWritesTo) {
  const int writer = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(writer, 0);
  EXPECT_EQ(map(), nullptr);
  ::close(writer);
  EXPECT_NE(map(), nullptr);
}

TEST_F(LeasedMappingTest, IsNotMadeBeyondTheEndOrBesidePages) {
  EXPECT_EQ(LeasedMapping::make(descriptor_, 0, memory_.bytes().first(contents_.size() + 1)), nullptr);
  EXPECT_EQ(LeasedMapping::make(descriptor_, 1, memory_.bytes().first(100)), nullptr);
  EXPECT_EQ(LeasedMapping::make(descriptor_, 0, memory_.bytes().subspan(1, 100)), nullptr);
}

TEST_F(LeasedMappingTest, LeavesEmptyMemoryWhenItIsDiscarded) {
  auto mapping = map();
  ASSERT_NE(mapping, nullptr);
  mapping->discard();
  mapping.reset();
  EXPECT_EQ(seen(), std::string(contents_.size(), '\0'));
  const int writer = ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_NONBLOCK | O_CLOEXEC);
  EXPECT_GE(writer, 0);
  ::close(writer);
  EXPECT_EQ(seen(), std::string(contents_.size(), '\0'));
}

}  // namespace
}  // namespace sortie
