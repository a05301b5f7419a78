// When a signal ends the command (Ctrl-C, kill, a terminal that is closed), removes the files that have temporary
// names, and says where those are that stay. run_sort() makes one around a sort that may have such files.
#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <thread>

#include <sortie/temporary_names.hpp>

namespace sortie::cli {

/// A thread waits for the signals, and all other threads block them. When one comes, it removes the files and lets the
/// signal end the process, so that a shell sees 128 + its number. Ignored signals stay ignored.
class SignalCleanup {
 public:
  /// Call before other threads are started, because they inherit the blocked signals. If its thread cannot be started,
  /// it does nothing, and signals end the process as usual. `say` is called by the waiting thread.
  SignalCleanup(TemporaryNames& names, std::function<void(const std::string&)> say);
  ~SignalCleanup();
  SignalCleanup(const SignalCleanup&) = delete;
  SignalCleanup& operator=(const SignalCleanup&) = delete;

 private:
  sigset_t signals_before_{};
  std::thread waiting_;
};

}  // namespace sortie::cli
