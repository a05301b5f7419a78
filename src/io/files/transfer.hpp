// A loop around system calls that may move fewer bytes than asked. The call is a parameter, so that tests can interrupt
// and shorten it. Used by the POSIX files.
#pragma once

#include <cerrno>
#include <cstddef>

#include <sys/types.h>

#include "base/retry_interrupted.hpp"

namespace sortie {

struct Transferred {
  std::size_t bytes = 0;
  int error_number = 0;  ///< errno of the call that failed; 0 if none did
};

/// Repeats `call(done, left)`, which returns bytes moved, until `bytes` are moved, it returns 0, or fails.
template <class Call>
Transferred transfer_all(std::size_t bytes, Call call) {
  Transferred done;
  while (done.bytes < bytes) {
    const ssize_t moved = retry_interrupted([&] { return call(done.bytes, bytes - done.bytes); });
    if (moved < 0) {
      done.error_number = errno;
      break;
    }
    if (moved == 0) break;
    done.bytes += static_cast<std::size_t>(moved);
  }
  return done;
}

}  // namespace sortie
