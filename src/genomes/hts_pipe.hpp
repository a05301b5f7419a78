// A pipe between htslib and Sortie: htslib reads and writes BAM of its own accord on one end, on a thread.
#pragma once

#include <exception>
#include <functional>
#include <thread>

#include "base/descriptor.hpp"

namespace sortie::genomes {

struct Pipe {
  /// Throws Error if the system gives none.
  Pipe();

  Descriptor reading;
  Descriptor writing;
};

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
