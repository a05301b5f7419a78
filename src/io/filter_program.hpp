// A program that turns the bytes on its standard input into those on its standard output, as compressors do. Used for
// runs that a program of the user's choice compresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <semaphore>
#include <span>
#include <string>
#include <vector>

namespace sortie {

class FilterProgram {
 public:
  /// `path`: looked for in $PATH if it has no slash. At most `most_at_once` of it run at a time. Nothing is run yet.
  FilterProgram(std::string path, std::uint64_t most_at_once);

  const std::string& path() const { return path_; }

  /// What `path` makes of `bytes`. Waits until it has ended. It gets an environment and standard error like ours, no
  /// other open files, and no blocked signals. Throws Error if it cannot be run, or fails. Thread-safe.
  std::vector<std::byte> compress(std::span<const std::byte> bytes) const;

  /// The same of `path` -d. False, and the rest is thrown away, if it does not give exactly as many bytes as `target`
  /// has.
  bool decompress(std::span<const std::byte> bytes, std::span<std::byte> target) const;

 private:
  std::string path_;
  mutable std::counting_semaphore<> free_;  // to be run
};

}  // namespace sortie
