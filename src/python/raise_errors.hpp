// How the library's errors look in Python: as sortie.Error, whose class is the package's.
#pragma once

#include <string>

#include <sortie/error.hpp>

namespace sortie::python {

/// The message as Python's callers are told it, with the argument that helps.
std::string message_of(const Error& error);

/// The words for the argument that helps, which end a message; empty if there is none.
const char* argument_for(Remedy remedy);

/// Error.remedy; null for none.
const char* remedy_word(Remedy remedy);

/// From now on nanobind raises sortie.Error for an Error, with its remedy. Call once.
void translate_errors();

}  // namespace sortie::python
