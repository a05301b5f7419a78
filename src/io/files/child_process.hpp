// A program that runs beside this one, with pipes as some of its standard files. FilterProcess and ObjectProcess each
// hold one, and know what the program does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/descriptor.hpp"

namespace sortie {

/// Which program runs, and what messages say of it.
struct ChildProgram {
  std::vector<std::string> words;  ///< its path, which is looked up in $PATH if it has no slash, and its arguments
  std::string called;              ///< what it is called, as in "cannot read from <called>"
  std::string not_run;             ///< how a message begins if it cannot be run: "cannot run './own'"
  std::string if_missing;          ///< the remedy if there is no such program; may be empty
};

/// What a standard file of the program is: the one of this process, /dev/null, or a pipe.
enum class ChildStream : std::uint8_t { kOurs, kNull, kPipe };

struct ChildStreams {
  ChildStream input = ChildStream::kOurs;
  ChildStream output = ChildStream::kOurs;
  ChildStream errors = ChildStream::kOurs;
};

class ChildProcess {
 public:
  /// Runs the program with our environment, no other open files, and signals as they are at the start of a process.
  /// Throws Error if that fails.
  ChildProcess(ChildProgram program, ChildStreams streams);
  /// Kills the program unless wait() was called, and waits until it has ended.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Our ends of its pipes; closed where a standard file is none. Nothing waits that reads or writes them.
  Descriptor& input() { return ends_[0]; }
  Descriptor& output() { return ends_[1]; }
  Descriptor& errors() { return ends_[2]; }
  const Descriptor& input() const { return ends_[0]; }
  const Descriptor& output() const { return ends_[1]; }

  struct Ready {
    bool takes = false;  ///< the input takes bytes, or nobody reads it any more
    bool gives = false;  ///< an end that is read has bytes, or has ended
  };
  /// Waits until the input takes bytes, if `for_input`, or `read_end` gives some, if there is one. Throws Stopped if
  /// the calling thread's team is to stop.
  Ready wait_until_ready(bool for_input, const Descriptor* read_end) const;

  /// Reads what is there; 0 at the end, nothing if the program has given no more so far.
  std::optional<std::size_t> read(const Descriptor& read_end, std::span<std::byte> target) const;
  /// Returns how many bytes the input has taken, which may be none; nothing if nobody reads it any more.
  std::optional<std::size_t> write(std::span<const std::byte> source) const;

  /// Waits for the end of the program, and returns its status as waitpid() gives it; nothing if the system has lost it,
  /// since this process ignores SIGCHLD. Throws Stopped as wait_until_ready() does. Call once.
  std::optional<int> wait();
  /// Waits for the end of the program, however long it takes.
  void wait_for_sure() noexcept;

 private:
  ChildProgram program_;
  pid_t id_ = -1;
  Descriptor ends_[3];
};

}  // namespace sortie
