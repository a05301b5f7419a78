// A FileError that the system's answer caused, for programs that have errors of their own for these numbers. Every
// failed call on a file throws one.
#pragma once

#include <string>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {

class SystemFileError : public FileError {
 public:
  /// `path`: as messages show it. `error_number`: errno.
  SystemFileError(const FileError& error, std::string path, int error_number)
      : FileError(error), path_(std::move(path)), error_number_(error_number) {}

  /// A copy of `error` with another kind.
  SystemFileError(Kind kind, const SystemFileError& error)
      : FileError(kind, error), path_(error.path_), error_number_(error.error_number_) {}

  const std::string& path() const { return path_; }
  int error_number() const { return error_number_; }

 private:
  std::string path_;
  int error_number_;
};

}  // namespace sortie
