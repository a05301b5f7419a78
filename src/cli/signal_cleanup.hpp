// Signals that end the command (Ctrl-C, kill, a terminal that is closed) take the files with them that have temporary
// names, and say where those are that stay. run_sort() makes one around a sort that may have such files.
#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <thread>

#include <sortie/temporary_names.hpp>

namespace sortie::cli {

/// A thread waits for the signals, which all other threads leave to it. When one comes it removes the files and lets
/// the signal end the process, so that a shell sees 128 + its number. Signals that were ignored stay so.
class SignalCleanup {
 public:
  /// Called before other threads are started: they inherit what the calling thread leaves to this one. Without memory
  /// for a thread it does nothing, and signals end the process as ever. `say` is called by the waiting thread.
  SignalCleanup(TemporaryNames& names, std::function<void(const std::string&)> say);
  ~SignalCleanup();
  SignalCleanup(const SignalCleanup&) = delete;
  SignalCleanup& operator=(const SignalCleanup&) = delete;

 private:
  sigset_t signals_before_{};
  std::thread waiting_;
};

}  // namespace sortie::cli
