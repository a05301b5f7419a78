#include "io/report_output.hpp"

#include <csignal>
#include <ctime>

namespace sortie {
namespace {

/// While it lives, SIGPIPE does not reach this thread, whose own writes are what sends it.
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
  bool was_pending_ = false;  // somebody else's
};

}  // namespace

void ReportOutput::write(std::span<const std::byte> bytes) {
  const SigpipeBlock block;
  output_->write(bytes);
}

}  // namespace sortie
