#include "base/above_standard.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace sortie {

int above_standard(int descriptor) noexcept {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error_number = errno;
  ::close(descriptor);
  errno = error_number;
  return moved;
}

}  // namespace sortie
