#include "cli/signal_cleanup.hpp"

#include <unistd.h>

#include <csignal>

#include <gtest/gtest.h>

namespace sortie::cli {
namespace {

[[noreturn]] void wait_for_end() {
  while (true) ::pause();
}

[[noreturn]] void end_by_signal() {
  TemporaryNames names;
  TemporaryNames::Entry kept(&names, "kept");
  kept.keep("kept stays");
  const SignalCleanup cleanup(names, "program");
  ::kill(::getpid(), SIGTERM);
  wait_for_end();
}

TEST(SignalCleanupDeathTest, ASignalEndsTheProcessAfterTheFarewells) {
  EXPECT_EXIT(end_by_signal(), testing::KilledBySignal(SIGTERM), "^program: kept stays\n$");
}

// While the lock is held, a file may have a name that nobody knows of.
[[noreturn]] void end_by_signal_while_names_are_held() {
  TemporaryNames names;
  const SignalCleanup cleanup(names, "program");
  {
    const auto lock = names.hold();
    std::raise(SIGHUP);
    std::raise(SIGTERM);
    static_cast<void>(::write(2, "still here", 10));
  }
  wait_for_end();
}

TEST(SignalCleanupDeathTest, ASignalWaitsUntilNamesAreNotHeld) {
  EXPECT_EXIT(end_by_signal_while_names_are_held(), testing::KilledBySignal(SIGHUP), "^still here$");
}

TEST(SignalCleanup, GivesTheSignalsBack) {
  TemporaryNames names;
  { const SignalCleanup cleanup(names, "program"); }
  struct sigaction action {};
  ASSERT_EQ(::sigaction(SIGTERM, nullptr, &action), 0);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}

}  // namespace
}  // namespace sortie::cli
