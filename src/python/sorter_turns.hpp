// Who may call a sorter that Python holds: one thread at a time, in the process that made it.
#pragma once

#include <unistd.h>

#include <atomic>

#include <sortie/error.hpp>

namespace sortie::python {

class SorterTurns {
 public:
  /// A fork copies no threads: in the child nothing would answer a sorter.
  bool is_other_process() const { return ::getpid() != process_; }

  /// Lives as long as a call. `needs_process`: whether the call reaches the sorter's threads.
  class Turn {
   public:
    Turn(SorterTurns& turns, bool needs_process) : turns_(turns) {
      if (needs_process && turns.is_other_process())
        throw Error("a sorter works in the process that made it: make another after the fork");
      if (turns_.is_busy_.exchange(true))
        throw Error("calls of a sorter must not overlap: use it from one thread at a time");
    }
    ~Turn() { turns_.is_busy_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    SorterTurns& turns_;
  };

 private:
  std::atomic<bool> is_busy_ = false;
  const pid_t process_ = ::getpid();
};

}  // namespace sortie::python
