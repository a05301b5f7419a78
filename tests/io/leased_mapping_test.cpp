#include "io/files/leased_mapping.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "base/memory_region.hpp"
#include "io/io_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

/// Empties a file on a thread of its own.
class Writer {
 public:
  explicit Writer(const std::string& path) {
    thread_ = std::thread([this, path] {
      const int descriptor = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
      EXPECT_GE(descriptor, 0);
      ::close(descriptor);
      is_done_ = true;
    });
  }
  ~Writer() { wait(); }

  bool is_done() const { return is_done_; }
  void wait() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> is_done_{false};
  std::thread thread_;
};

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

TEST_F(LeasedMappingTest, HasTheBytes) {
  const auto mapping = map();
  ASSERT_NE(mapping, nullptr);
  EXPECT_EQ(seen(), contents_);
  EXPECT_EQ(mapping->check(), MappedCopy::Damage::kNone);
}

TEST_F(LeasedMappingTest, AWriterWaitsUntilTheBytesAreCopied) {
  const auto mapping = map();
  ASSERT_NE(mapping, nullptr);
  const int impatient = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_EQ(impatient, -1);
  EXPECT_EQ(errno, EWOULDBLOCK);
  const auto begin = std::chrono::steady_clock::now();
  Writer writer(path_);  // waits for the lease, and nobody calls check()
  writer.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << "the system took the lease away";
  EXPECT_EQ(test::read_whole_file(path_), "");
  EXPECT_EQ(seen(), contents_);
  EXPECT_EQ(mapping->check(), MappedCopy::Damage::kNone);
}

TEST_F(LeasedMappingTest, TheBytesCanBeReadWhileTheyAreCopied) {
  const auto mapping = map();
  ASSERT_NE(mapping, nullptr);
  Writer writer(path_);
  while (!writer.is_done()) {
    ASSERT_EQ(seen(), contents_);
    ASSERT_EQ(mapping->check(), MappedCopy::Damage::kNone);
  }
  EXPECT_EQ(seen(), contents_);
}

TEST_F(LeasedMappingTest, TellsOfAFileThatWasChangedBeforeItWasCopied) {
  const auto mapping = map();
  ASSERT_NE(mapping, nullptr);
  std::filesystem::last_write_time(path_, std::filesystem::file_time_type());  // as if the lease had been lost
  EXPECT_EQ(mapping->check(), MappedCopy::Damage::kNone) << "the lease stands";
  Writer(path_).wait();
  EXPECT_EQ(mapping->check(), MappedCopy::Damage::kChanged);
}

TEST_F(LeasedMappingTest, EndsWhileAWriterWaits) {
  for (const int pause_ms : {0, 1, 100, 201, 203, 205}) {
    test::write_whole_file(path_, contents_);
    auto mapping = map();
    ASSERT_NE(mapping, nullptr);
    Writer writer(path_);
    std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    mapping.reset();
    writer.wait();
    memory_ = MemoryRegion(10'000'000);
    EXPECT_EQ(test::read_whole_file(path_), "");
  }
}

TEST_F(LeasedMappingTest, LeavesMemoryAloneOnceItIsDiscarded) {
  const auto mapping = map();
  ASSERT_NE(mapping, nullptr);
  Writer writer(path_);
  mapping->discard();
  for (int i = 0; i < 500; ++i) {
    target()[static_cast<std::size_t>(i)] = std::byte('x');
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(seen(), std::string(500, 'x') + std::string(contents_.size() - 500, '\0'));
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
