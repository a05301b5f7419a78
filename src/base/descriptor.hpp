// The owner of an open descriptor: all of io holds descriptors in it, so that they are closed whatever happens.
// Descriptors stay above those of standard input, output and error.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sortie {

class Descriptor {
 public:
  /// Takes over `number`. A negative number, as a failed call returns it, is no descriptor.
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const noexcept { return number_ >= 0; }
  int number() const noexcept { return number_; }

  /// Hands the number to the caller, who has to close it.
  int release() noexcept { return std::exchange(number_, -1); }
  /// Leaves errno as it is.
  void close() noexcept {
    if (!is_open()) return;
    const int error_number = errno;
    ::close(release());
    errno = error_number;
  }

 private:
  int number_;
};

/// Returns a descriptor above 2 of the same open file, and closes `descriptor` if that is a different one. Returns -1
/// with errno set if `descriptor` is negative, or if no number is left.
/// Called wherever a file is opened: a program that runs without the standard descriptors would otherwise mix its
/// messages with its data.
int above_standard(int descriptor) noexcept;

}  // namespace sortie
