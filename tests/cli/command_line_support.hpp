// Calls of the command line's parser, for tests.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command_line.hpp"

namespace sortie::cli::test {

using Words = std::vector<std::string>;

/// Sets an environment variable during a test.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value, 1);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// The message of the exception of type Failure that the parser throws; "" if it throws none.
template <class Failure>
std::string refusal(const Words& words, const char* program = "sort") {
  try {
    parse_command_line(words, program);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

}  // namespace sortie::cli::test
