// When a signal ends the command (Ctrl-C, kill, a terminal that is closed), removes the files that have temporary
// names, and says where those are that stay. Made around what may have such files.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <string_view>

#include <sortie/temporary_names.hpp>

namespace sortie::cli {

/// Handles the signals. When one comes, it removes the files and lets the signal end the process, so that a shell sees
/// 128 + its number. Ignored signals stay ignored. There may be one at a time.
class SignalCleanup {
 public:
  /// `program`: what messages begin with. Both arguments must outlive this.
  SignalCleanup(TemporaryNames& names, std::string_view program);
  ~SignalCleanup();
  SignalCleanup(const SignalCleanup&) = delete;
  SignalCleanup& operator=(const SignalCleanup&) = delete;

 private:
  static constexpr std::array kSignals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};

  std::array<struct sigaction, kSignals.size()> actions_before_{};
};

}  // namespace sortie::cli
