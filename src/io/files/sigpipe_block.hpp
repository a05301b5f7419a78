// Makes a write to a pipe whose reader has gone fail with EPIPE instead of sending SIGPIPE: a library must not let a
// signal end its host. Used by reports, and by what is written to compress programs.
#pragma once

#include <csignal>
#include <ctime>

namespace sortie {

/// While it lives, SIGPIPE does not reach this thread, whose own writes send it.
class SigpipeBlock {
 public:
  SigpipeBlock() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~SigpipeBlock() {
    const timespec at_once{};
    if (!was_pending_) ::sigtimedwait(&pipe_, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SigpipeBlock(const SigpipeBlock&) = delete;
  SigpipeBlock& operator=(const SigpipeBlock&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_ = false;  // somebody else's signal
};

}  // namespace sortie
