// Who takes the options of a request, and so how messages name them: "--top" for a command line, "top" for Python.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sortie/error.hpp>

namespace sortie::option {

enum class Door : std::uint8_t {
  kCommand,
  kGnuSort,  ///< the command under the name `sort`: it does and says what GNU sort does
  kPython,
  kLibrary,  ///< a program that fills in SortOptions
};

/// A command line that cannot be understood. The command prints the message and points at --help.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A word that is none of those that an option takes: GNU programs exit with 1 then, not with the status of trouble.
class WordError : public UsageError {
 public:
  using UsageError::UsageError;
};

/// An argument of Python that cannot be: a ValueError there.
class ArgumentError : public Error {
 public:
  using Error::Error;
};

/// `text` with the names of options in place of "{top}", "{-t}" and "{keep=last}": as this door has them; the library
/// knows the names without dashes.
std::string with_names(Door door, std::string_view text);

/// Throws Error, or ArgumentError at the door of Python.
[[noreturn]] void throw_as_door(Door door, const std::string& message);

/// The same with the text that with_names() makes.
[[noreturn]] void refuse(Door door, std::string_view text);

/// Throws as refuse() does: of two options that do not go together, one is to go. They are written as in the braces of
/// with_names().
[[noreturn]] void refuse_together(Door door, std::string_view option, std::string_view other);

/// Throws as refuse() does: "invalid value 'WORD' for NAME: REASON". `name`: as the door has it.
[[noreturn]] void refuse_value(Door door, const std::string& word, const std::string& name, const std::string& reason);

/// Calls `parse`, which takes a word apart. At the door of Python its Error is told with the name of the argument.
template <class Parse>
auto parsed_word(Door door, const std::string& name, const std::string& word, const Parse& parse) {
  try {
    return parse();
  } catch (const Error& error) {
    if (door != Door::kPython) throw;
    refuse_value(door, word, name, error.what());
  }
}

/// What a caller of Python wrote, or the name of a file, for a message there: see escape_controls().
std::string without_controls(std::string_view text);

}  // namespace sortie::option
