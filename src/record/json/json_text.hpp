// Strings and numbers of JSON as keys need them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sortie {

/// How many bytes the escape has that `text` begins with, at its backslash; 0 if JSON has no such escape.
std::size_t escape_bytes(std::string_view text);

/// Appends what stands between the quotes of a string, with its escapes replaced by UTF-8. A surrogate without its
/// other half becomes three bytes of its own.
void append_unescaped(std::string_view text, std::string& out);

/// Appends a number without exponent that has the value of `text`, a number of JSON. Exponents beyond 1000 count as
/// 1000, those below -1000 as -1000.
void append_plain_number(std::string_view text, std::string& out);

}  // namespace sortie
