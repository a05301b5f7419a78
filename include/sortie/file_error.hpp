// What is wrong with a file, in parts, for programs that word it in their own way. what() has it all, with the remedy.
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
    kWriteSmallOutput,  ///< all that was written so far fits a block, so that others would notice at the end
    kOther,
  };

  /// `plain`: the message without a remedy; `reason`: the end of it, the file and what the system says.
  FileError(Kind kind, const std::string& plain, std::string reason, const std::string& remedy)
      : Error(remedy.empty() ? plain : plain + "; " + remedy), kind_(kind), plain_(plain), reason_(std::move(reason)) {}

  /// The same, of another kind.
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
