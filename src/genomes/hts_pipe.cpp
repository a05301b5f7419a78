#include "genomes/hts_pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace sortie::genomes {

Pipe::Pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  reading = Descriptor(above_standard(ends[0]));
  writing = Descriptor(above_standard(ends[1]));
  // As much as an unprivileged process may have; less is only slower.
  ::fcntl(writing.number(), F_SETPIPE_SZ, 1 << 20);
}

ssize_t read_pipe(int descriptor, std::span<std::byte> target) {
  ssize_t got = 0;
  do {
    got = ::read(descriptor, target.data(), target.size());
  } while (got < 0 && errno == EINTR);
  return got;
}

HtsThread::~HtsThread() { end(); }

void HtsThread::end() {
  if (thread_.joinable()) thread_.join();
}

void HtsThread::join() {
  end();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace sortie::genomes
