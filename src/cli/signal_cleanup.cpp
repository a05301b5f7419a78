#include "cli/signal_cleanup.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

namespace sortie::cli {
namespace {

/// Tells the waiting thread that it is no longer needed. If another process sends it, it means nothing.
int end_signal() { return SIGRTMIN; }

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t awaited_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, end_signal());
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU}) {
    if (!is_ignored(signal)) ::sigaddset(&signals, signal);
  }
  return signals;
}

[[noreturn]] void end_process_by(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  std::raise(signal);
  std::_Exit(128 + signal);
}

// Without memory for the messages the process ends silently, but still by its signal.
void say_farewells(const TemporaryNames& names, const std::function<void(const std::string&)>& say) {
  try {
    for (const std::string& farewell : names.farewells()) say(farewell);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void wait_for(const sigset_t& signals, TemporaryNames& names, const std::function<void(const std::string&)>& say) {
  siginfo_t info{};
  int signal = 0;
  do {
    signal = ::sigwaitinfo(&signals, &info);
    if (signal == end_signal() && info.si_pid == ::getpid()) return;
  } while (signal < 0 || signal == end_signal());
  const auto lock = names.remove_files();
  say_farewells(names, say);
  end_process_by(signal);
}

}  // namespace

SignalCleanup::SignalCleanup(TemporaryNames& names, std::function<void(const std::string&)> say) {
  const sigset_t signals = awaited_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, &signals_before_);
  try {
    waiting_ = std::thread([signals, &names, say = std::move(say)] { wait_for(signals, names, say); });
  } catch (const std::exception&) {
    ::pthread_sigmask(SIG_SETMASK, &signals_before_, nullptr);
  }
}

SignalCleanup::~SignalCleanup() {
  if (!waiting_.joinable()) return;
  ::pthread_kill(waiting_.native_handle(), end_signal());
  waiting_.join();
  ::pthread_sigmask(SIG_SETMASK, &signals_before_, nullptr);
}

}  // namespace sortie::cli
