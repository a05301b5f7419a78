#include "base/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <sortie/error.hpp>
#include <sortie/standard_descriptors.hpp>

namespace sortie {

int above_standard(int descriptor) noexcept {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error_number = errno;
  ::close(descriptor);
  errno = error_number;
  return moved;
}

void occupy_closed_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // A descriptor opened with O_PATH can be neither read nor written, as if it were closed. open() takes the lowest
    // free number, which is this one.
    if (::open("/dev/null", O_PATH) != descriptor) {
      throw Error("cannot open '/dev/null': " + std::string(std::strerror(errno)));
    }
  }
}

bool was_closed(int descriptor) noexcept {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags == -1 || (flags & O_PATH) != 0;
}

}  // namespace sortie
