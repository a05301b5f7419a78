// How errors look in Python: each is a sortie.Error, and of the class that Python has for it.
#pragma once

#include <cstdint>
#include <string>

#include <nanobind/nanobind.h>

#include <sortie/assumption.hpp>
#include <sortie/error.hpp>

namespace sortie::python {

/// The message as Python's callers are told it, with the argument that helps.
std::string message_of(const Error& error);

/// The words for the argument that helps, which end a message; empty if there is none.
const char* argument_for(Remedy remedy);

/// Error.remedy; null for none.
const char* remedy_word(Remedy remedy);

/// What is told of an assumption, by the names of its members; `advice`: the argument that helps, for the end of the
/// message.
nanobind::dict assumption_object(const Assumption& assumption);

/// "1 column", "2 columns".
std::string counted(std::int64_t count, const std::string& what);

/// Raises a sortie.ArgumentTypeError, which is a TypeError.
[[noreturn]] void raise_type_error(const std::string& message);

/// Raises a sortie.ArgumentError, which is a ValueError.
[[noreturn]] void raise_value_error(const std::string& message);

/// From now on nanobind raises sortie.Error for an Error, with its remedy, and for lack of memory. Call once.
void translate_errors();

}  // namespace sortie::python
