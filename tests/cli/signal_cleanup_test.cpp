#include "cli/signal_cleanup.hpp"

#include <unistd.h>

#include <csignal>
#include <new>
#include <string>

#include <gtest/gtest.h>

namespace sortie::cli {
namespace {

[[noreturn]] void end_by_signal_without_memory() {
  TemporaryNames names;
  TemporaryNames::Entry kept(&names, "kept");
  kept.keep("kept stays");
  const SignalCleanup cleanup(names, [](const std::string&) { throw std::bad_alloc(); });
  ::kill(::getpid(), SIGTERM);
  while (true) ::pause();
}

TEST(SignalCleanupDeathTest, ASignalEndsTheProcessWithoutMemoryForAFarewell) {
  EXPECT_EXIT(end_by_signal_without_memory(), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace sortie::cli
