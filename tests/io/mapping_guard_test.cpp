#include "io/mapping/mapping_guard.hpp"

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <initializer_list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/io_support.hpp"
#include "io/mapping/mapped_file.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

constexpr std::size_t kBytes = 64 << 10;

/// A mapped file that may be cut short.
class MappedFile {
 public:
  MappedFile(const std::string& path, int flags) : path_(path) {
    test::write_whole_file(path, std::string(kBytes, 'x'));
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    bytes_ = static_cast<std::byte*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, flags, descriptor, 0));
    ::close(descriptor);
  }
  ~MappedFile() { ::munmap(bytes_, kBytes); }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  void cut() const { ASSERT_EQ(::truncate(path_.c_str(), 10), 0); }
  std::span<std::byte> bytes() const { return {bytes_, kBytes}; }
  char at(std::size_t position) const { return static_cast<char>(const_cast<volatile std::byte*>(bytes_)[position]); }

 private:
  std::string path_;
  std::byte* bytes_ = nullptr;
};

sigjmp_buf after_fault;
int faults_of_others = 0;

void count_fault(int) {
  ++faults_of_others;
  siglongjmp(after_fault, 1);
}

/// The number of calls of raise_again() that run at once, now and at most. Also whether SIGUSR1 was blocked in the
/// last one.
int depth = 0;
int deepest = 0;
bool has_raised = false;
bool user_signal_was_blocked = false;

void raise_again(int signal) {
  deepest = std::max(deepest, ++depth);
  sigset_t blocked;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  user_signal_was_blocked = ::sigismember(&blocked, SIGUSR1) == 1;
  if (!std::exchange(has_raised, true)) ::raise(signal);
  --depth;
}

void install(void (*handler)(int), int flags, std::initializer_list<int> blocked = {}) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : blocked) ::sigaddset(&action.sa_mask, signal);
  ::sigaction(SIGBUS, &action, nullptr);
}

using Handler = void (*)(int);
Handler handler_now() {
  struct sigaction action {};
  ::sigaction(SIGBUS, nullptr, &action);
  return action.sa_handler;
}

class MappingGuardTest : public testing::TestWithParam<int> {
 protected:
  MappingGuardTest() { ::sigaction(SIGBUS, nullptr, &before_); }
  ~MappingGuardTest() override { ::sigaction(SIGBUS, &before_, nullptr); }

  test::TemporaryDirectory directory_;
  struct sigaction before_ {};
};

TEST_P(MappingGuardTest, PutsEmptyMemoryInPlaceOfPagesThatAreGone) {
  const MappedFile file(directory_ / "data", GetParam());
  const MappingGuard guard(file.bytes(), true);
  EXPECT_EQ(file.at(kBytes - 1), 'x');
  EXPECT_FALSE(guard.has_failed());
  file.cut();
  EXPECT_EQ(file.at(kBytes - 1), '\0');
  EXPECT_TRUE(guard.has_failed());
  file.bytes()[kBytes - 1] = std::byte('y');
  EXPECT_EQ(file.at(kBytes - 1), 'y');
  EXPECT_EQ(file.at(0), '\0') << "all of the range is replaced";
}

TEST_P(MappingGuardTest, TellsRangesApart) {
  const MappedFile good(directory_ / "good", GetParam());
  const MappedFile bad(directory_ / "bad", GetParam());
  MappingGuard moved;
  {
    MappingGuard first(good.bytes(), true);
    MappingGuard second(bad.bytes(), true);
    moved = std::move(second);
    bad.cut();
    EXPECT_EQ(bad.at(kBytes - 1), '\0');
    EXPECT_FALSE(first.has_failed());
  }
  EXPECT_TRUE(moved.has_failed());
  EXPECT_FALSE(MappingGuard(good.bytes(), true).has_failed()) << "a range that is used again begins anew";
}

TEST_P(MappingGuardTest, ServesManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const MappedFile file(directory_ / std::to_string(t), GetParam());
        const MappingGuard guard(file.bytes(), true);
        if (i % 2 == 0) file.cut();
        EXPECT_EQ(file.at(kBytes - 1), i % 2 == 0 ? '\0' : 'x');
        EXPECT_EQ(guard.has_failed(), i % 2 == 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Mappings, MappingGuardTest, testing::Values(MAP_PRIVATE, MAP_SHARED),
                         [](const auto& flags) { return flags.param == MAP_PRIVATE ? "Private" : "Shared"; });

TEST(MappedViewGuard, TellsThatAPageIsGone) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "data";
  test::write_whole_file(path, std::string(kBytes, 'x'));
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  const MappedView view(descriptor, kBytes);
  EXPECT_EQ(view.bytes().back(), std::byte('x'));
  EXPECT_TRUE(view.is_intact());
  ASSERT_EQ(::ftruncate(descriptor, 10), 0);
  const volatile std::byte& last = view.bytes().back();
  EXPECT_EQ(std::byte(last), std::byte(0));
  EXPECT_FALSE(view.is_intact());
  ::close(descriptor);
}

using MappingGuardHandlerTest = MappingGuardTest;

TEST_P(MappingGuardHandlerTest, LeavesFaultsElsewhereAndTheHandlerAsTheyWere) {
  ::signal(SIGBUS, count_fault);
  const MappedFile guarded(directory_ / "guarded", GetParam());
  const MappedFile other(directory_ / "other", GetParam());
  other.cut();
  faults_of_others = 0;
  {
    const MappingGuard guard(guarded.bytes(), true);
    EXPECT_NE(handler_now(), count_fault);
    if (sigsetjmp(after_fault, 1) == 0) static_cast<void>(other.at(kBytes - 1));
    EXPECT_EQ(faults_of_others, 1);
    if (sigsetjmp(after_fault, 1) == 0) ::raise(SIGBUS);
    EXPECT_EQ(faults_of_others, 2);
    EXPECT_FALSE(guard.has_failed());
  }
  EXPECT_EQ(handler_now(), count_fault);
}

TEST_P(MappingGuardHandlerTest, AFaultElsewhereStillEndsAProcessWithoutAHandler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::signal(SIGBUS, SIG_DFL);
        const MappedFile guarded(directory_ / "guarded", GetParam());
        const MappedFile other(directory_ / "other", GetParam());
        other.cut();
        const MappingGuard guard(guarded.bytes(), true);
        static_cast<void>(other.at(kBytes - 1));
      },
      testing::KilledBySignal(SIGBUS), "");
}

TEST_P(MappingGuardHandlerTest, CallsAHandlerForOneSignalOnlyOnce) {
  install(count_fault, SA_RESETHAND);
  const MappedFile guarded(directory_ / "guarded", GetParam());
  faults_of_others = 0;
  {
    const MappingGuard guard(guarded.bytes(), true);
    if (sigsetjmp(after_fault, 1) == 0) ::raise(SIGBUS);
    EXPECT_EQ(faults_of_others, 1);
  }
  EXPECT_EQ(handler_now(), SIG_DFL) << "a handler that has had its signal is put back";
}

TEST_P(MappingGuardHandlerTest, ASecondSignalEndsAProcessWhoseHandlerWasForOne) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        install(count_fault, SA_RESETHAND);
        const MappedFile guarded(directory_ / "guarded", GetParam());
        const MappingGuard guard(guarded.bytes(), true);
        if (sigsetjmp(after_fault, 1) == 0) ::raise(SIGBUS);
        ::raise(SIGBUS);
      },
      testing::KilledBySignal(SIGBUS), "");
}

#ifndef __SANITIZE_THREAD__  // which does not let handlers interrupt one another
TEST_P(MappingGuardHandlerTest, AHandlerIsInterruptedByItsOwnSignalOnlyIfItAskedForThat) {
  const MappedFile guarded(directory_ / "guarded", GetParam());
  for (const int flags : {0, SA_NODEFER}) {
    install(raise_again, flags);
    depth = deepest = 0;
    has_raised = false;
    const MappingGuard guard(guarded.bytes(), true);
    ::raise(SIGBUS);
    EXPECT_EQ(deepest, flags == SA_NODEFER ? 2 : 1) << "with flags " << flags;
  }
}
#endif

TEST_P(MappingGuardHandlerTest, AHandlerRunsWithTheSignalsBlockedThatItNamed) {
  const MappedFile guarded(directory_ / "guarded", GetParam());
  install(raise_again, 0, {SIGUSR1});
  has_raised = true;
  const MappingGuard guard(guarded.bytes(), true);
  ::raise(SIGBUS);
  EXPECT_TRUE(user_signal_was_blocked);
}

INSTANTIATE_TEST_SUITE_P(Mappings, MappingGuardHandlerTest, testing::Values(MAP_PRIVATE),
                         [](const auto&) { return "Private"; });

}  // namespace
}  // namespace sortie
