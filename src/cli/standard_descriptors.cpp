#include "cli/standard_descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <sortie/error.hpp>

namespace sortie::cli {

void occupy_closed_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // Open for the wrong direction, so that reads or writes fail as on a closed descriptor. The lowest free
    // number is taken, which is this one.
    const int wrong_direction = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", wrong_direction) != descriptor) {
      throw Error("cannot open '/dev/null': " + std::string(std::strerror(errno)));
    }
  }
}

}  // namespace sortie::cli
