#include "cli/signal_cleanup.hpp"

#include <pthread.h>
#include <sys/uio.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>

namespace sortie::cli {
namespace {

// A signal handler belongs to the process, and so does what it needs.
std::atomic<TemporaryNames*> watched_names = nullptr;
std::string_view watched_program;
std::atomic<int> first_signal = 0;

// Takes no memory and no locks, because any function may have been interrupted. If the message cannot be written, there
// is nowhere to report that.
void say(const std::string& farewell) {
  const auto part = [](std::string_view text) { return iovec{const_cast<char*>(text.data()), text.size()}; };
  const std::array parts = {part(watched_program), part(": "), part(farewell), part("\n")};
  [[maybe_unused]] const ssize_t written = ::writev(2, parts.data(), static_cast<int>(parts.size()));
}

void end_process(const TemporaryNames& names) {
  names.visit_farewells(say);
  const int signal = first_signal;
  std::signal(signal, SIG_DFL);
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  std::raise(signal);
  std::_Exit(128 + signal);
}

void handle(int signal) {
  const int error_number = errno;
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
  watched_names.load()->remove_files_and_end(end_process);
  errno = error_number;
}

}  // namespace

SignalCleanup::SignalCleanup(TemporaryNames& names, std::string_view program) {
  watched_program = program;
  watched_names = &names;
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) ::sigaddset(&action.sa_mask, signal);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    const bool is_known = ::sigaction(kSignals[i], nullptr, &actions_before_[i]) == 0;
    if (is_known && actions_before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

SignalCleanup::~SignalCleanup() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &actions_before_[i], nullptr);
}

}  // namespace sortie::cli
