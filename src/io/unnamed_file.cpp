#include "io/unnamed_file.hpp"

#include <cerrno>
#include <cstdio>
#include <random>

#include <fcntl.h>
#include <unistd.h>

#include "io/transfer.hpp"

namespace sortie {
namespace {

constexpr int kMode = 0600;

std::string random_path(const std::string& directory) {
  std::random_device random;
  char name[32];
  std::snprintf(name, sizeof name, "/.sortie-%08x%08x", random(), random());
  return directory + name;
}

}  // namespace

int open_unnamed_file(const std::string& directory) {
  const int flags = O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC;
  const int descriptor = retry_interrupted([&] { return ::open(directory.c_str(), flags, kMode); });
  // What file systems and kernels answer that know no O_TMPFILE.
  const bool is_unsupported = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL;
  return descriptor < 0 && is_unsupported ? open_unlinked_file(directory) : descriptor;
}

int open_unlinked_file(const std::string& directory) {
  const std::string path = random_path(directory);
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int descriptor = retry_interrupted([&] { return ::open(path.c_str(), flags, kMode); });
  if (descriptor >= 0 && ::unlink(path.c_str()) != 0) {
    const int error_number = errno;
    ::close(descriptor);
    errno = error_number;
    return -1;
  }
  return descriptor;
}

}  // namespace sortie
