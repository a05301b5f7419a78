// The one exception that ends a sort. Its message is a single line that names the thing that went
// wrong and the remedy; the command prints it and exits with status 2.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace sortie {

/// What the last words of a message advise, for programs that name their own option for it.
enum class Remedy : std::uint8_t {
  kOther,
  kMoreMemory,    ///< SortOptions::memory_bytes: raise it
  kLessMemory,    ///< SortOptions::memory_bytes: lower it
  kFewerThreads,  ///< SortOptions::threads
  kOtherScratch,  ///< SortOptions::scratch_directories
  kCpuEngine,     ///< SortOptions::engine
};

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Remedy remedy = Remedy::kOther)
      : std::runtime_error(message), remedy_(remedy) {}

  Remedy remedy() const { return remedy_; }

 private:
  Remedy remedy_;
};

/// Memory ran out. The message is not built when this is thrown: that would take memory.
class MemoryError : public Error {
 public:
  using Error::Error;
};

/// The calling program has stopped the sort: SortOptions::stop.
class Stopped : public Error {
 public:
  using Error::Error;
};

}  // namespace sortie
