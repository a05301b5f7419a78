// An error about a file, in parts, for programs that word messages themselves. what() is the whole message with the
// remedy.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {

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
