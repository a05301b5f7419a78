// A command line that cannot be understood. The command prints the message and points at --help.
#pragma once

#include <stdexcept>
#include <string>

namespace sortie::cli {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A word that is none of those that an option takes: GNU programs exit with 1 then, not with the status of trouble.
class ArgumentError : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace sortie::cli
