// A pipe between htslib and Sortie: htslib reads and writes BAM of its own accord on one end, on a thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <exception>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include <sortie/error.hpp>

#include "base/descriptor.hpp"
#include "io/files/sigpipe_block.hpp"

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
  /// `work`: is moved to the thread, and need not be copied. Where no thread can be had it is destroyed, and Error
  /// thrown.
  template <typename Work>
  explicit HtsThread(Work work) {
    try {
      thread_ = std::thread([this, work = std::move(work)]() mutable {
        const SigpipeBlock block;
        try {
          work();
        } catch (...) {
          failure_ = std::current_exception();
        }
      });
    } catch (const std::system_error& error) {
      throw Error("cannot start a thread for htslib: " + error.code().message() + "; use fewer", Remedy::kFewerThreads);
    }
  }
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
