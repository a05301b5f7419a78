// A running program that turns the bytes on its standard input into those on its standard output, as compressors do.
// One thread feeds and empties it, piece by piece. Used for runs that a program of the user's choice compresses.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "io/files/child_process.hpp"

namespace sortie {

class FilterProcess {
 public:
  enum class Work { kCompress, kDecompress };

  /// Runs `path`, or `path` -d for kDecompress; it is looked up in $PATH if it has no slash. It gets an environment and
  /// standard error like ours, no other open files, and no blocked signals. It is killed unless finish() was called.
  /// Throws Error if it cannot be run.
  FilterProcess(std::string path, Work work);

  struct Moved {
    std::size_t taken = 0;  ///< bytes from the begin of `input`
    std::size_t made = 0;   ///< bytes at the begin of `target`
  };
  /// Waits until the program takes some of `input`, makes something, or has ended its output: then both are 0. Throws
  /// Error if that fails, and Stopped if the calling thread's team is to stop. Precondition: `target` is not empty.
  Moved pump(std::span<const std::byte> input, std::span<std::byte> target);

  /// Closes the program's standard input: it has been given everything.
  void end_input() { child_.input().close(); }
  /// False after end_input(), and when the program has closed its standard input.
  bool takes_input() const { return child_.input().is_open(); }
  /// Whether pump() has come to the end of the program's output.
  bool output_has_ended() const { return !child_.output().is_open(); }

  /// Waits until the program has ended. Throws Error if it failed, and Stopped as pump() does. Precondition: its output
  /// has ended. Call once.
  void finish();

 private:
  std::string path_;
  ChildProcess child_;
};

}  // namespace sortie
