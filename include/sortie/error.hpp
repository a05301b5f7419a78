// The one exception that ends a sort. Its message is a single line that names the thing that went
// wrong and the remedy; the command prints it and exits with status 2.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace sortie {

/// What the last words of a message advise, for programs that name their own option for it.
enum class Remedy : std::uint8_t {
  kOther,
  kMoreMemory,    ///< SortOptions::memory_bytes: raise it
  kLessMemory,    ///< SortOptions::memory_bytes: lower it
  kFewerThreads,  ///< SortOptions::threads
  kOtherScratch,  ///< SortOptions::scratch_directories
  kCpuEngine,     ///< SortOptions::engine
  kYear,          ///< TextOrder::last_day
  kQuoting,       ///< TextOrder::quoting: let it be Quoting::kNone
  kZone,          ///< TextOrder::zone, or zone_names
  kSayQuoting,    ///< TextOrder::quoting: say what it is
  kHeaderLines,   ///< SortOptions::header_lines: count the comment in front of the header
};

/// A warning, in one line. A function that takes a std::string can take it.
struct Warning {
  std::string message;
  Remedy remedy = Remedy::kOther;

  Warning(std::string text, Remedy advised = Remedy::kOther) : message(std::move(text)), remedy(advised) {}
  operator const std::string&() const { return message; }
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

/// An error about a file, in parts, for programs that word messages themselves. what() is the whole message with the
/// remedy.
class FileError : public Error {
 public:
  enum class Kind : std::uint8_t {
    kOpenInput,
    kWriteOutput,
    kWriteSmallOutput,  ///< all bytes so far fit a block: programs that buffer one notice only at the end
    kOther,
  };

  /// `plain`: the message without the advice. `reason`: its end, that is the file and what the system says.
  FileError(Kind kind, const std::string& plain, std::string reason, const std::string& advice,
            Remedy remedy = Remedy::kOther)
      : Error(advice.empty() ? plain : plain + "; " + advice, remedy),
        kind_(kind),
        plain_(plain),
        reason_(std::move(reason)) {}

  /// A copy of `error` with another kind.
  FileError(Kind kind, const FileError& error) : FileError(error) { kind_ = kind; }

  Kind kind() const { return kind_; }
  const std::string& plain() const { return plain_; }
  const std::string& reason() const { return reason_; }

 private:
  Kind kind_;
  std::string plain_;
  std::string reason_;
};

}  // namespace sortie
