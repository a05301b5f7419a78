// A command line that cannot be understood. The command prints the message and points at --help.
#pragma once

#include <stdexcept>

namespace sortie::cli {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sortie::cli
