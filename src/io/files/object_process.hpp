// A running python3 -m sortie.objects, which reads or writes one object, at the other end of a pipe. Used by the files
// that stand for objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/files/child_process.hpp"

namespace sortie {

class ObjectProcess {
 public:
  enum class Work : std::uint8_t { kGet, kPut };

  /// `url`: without credentials, as messages show it. `arguments`: of the program, in front of the URL. Throws Error if
  /// the program cannot be run.
  ObjectProcess(std::string url, Work work, std::vector<std::string> arguments);
  /// Ends the program, unless finish() was called. One that writes gives up what it has sent, and is waited for.
  ~ObjectProcess();
  ObjectProcess(const ObjectProcess&) = delete;
  ObjectProcess& operator=(const ObjectProcess&) = delete;

  /// Waits for bytes of the object; 0 at its end. Throws Error with the program's own line if it fails, and Stopped if
  /// the calling thread's team is to stop.
  std::size_t read(std::span<std::byte> target);
  /// Hands all bytes over. Throws as read() does.
  void write(std::span<const std::byte> source);
  /// Waits until the program has ended. Throws Error with its line if it failed.
  void finish();

 private:
  Descriptor& bytes() { return work_ == Work::kGet ? child_.output() : child_.input(); }
  std::string last_line();

  std::string url_;
  Work work_;
  ChildProcess child_;
};

}  // namespace sortie
