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

}  // namespace sortie
