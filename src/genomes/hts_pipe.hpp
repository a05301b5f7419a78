// A pipe between htslib and Sortie: htslib reads and writes BAM of its own accord on one end, on a thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <thread>

#include "base/descriptor.hpp"

namespace sortie::genomes {

/// Bytes that are read and written at once.
inline constexpr std::size_t kPieceBytes = 1 << 20;

struct Pipe {
  /// Throws Error if the system gives none.
  Pipe();

  Descriptor reading;
  Descriptor writing;
};

/// Reads from a pipe: 0 at its end, less if it fails.
ssize_t read_pipe(int descriptor, std::span<std::byte> target);

/// A thread whose exception is thrown when it is joined.
class HtsThread {
 public:
  explicit HtsThread(std::function<void()> work);
  /// Waits for it. What it waits for must be closed by then.
  ~HtsThread();

  /// Waits for it.
  void end();
  /// Waits for it, and throws what it has thrown.
  void join();

 private:
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace sortie::genomes
