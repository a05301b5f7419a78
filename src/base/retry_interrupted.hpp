// A loop around system calls that a signal may interrupt. On network file systems and FUSE these are more than POSIX
// names. The call is a parameter, so that tests can interrupt it. Used wherever a file or a directory is touched.
#pragma once

#include <cerrno>

namespace sortie {

/// Repeats `call` while a signal interrupts it.
template <class Call>
auto retry_interrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace sortie
