// The one exception that ends a sort. Its message is a single line that names the thing that went
// wrong and the remedy; the command prints it and exits with status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace sortie {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Memory ran out. The message is not built when this is thrown: that would take memory.
class MemoryError : public Error {
 public:
  using Error::Error;
};

}  // namespace sortie
