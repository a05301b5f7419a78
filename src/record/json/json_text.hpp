// Strings and numbers of JSON as keys need them.
#pragma once

#include <string>
#include <string_view>

namespace sortie {

/// Appends what stands between the quotes of a string, with its escapes replaced by UTF-8. A surrogate without its
/// other half becomes three bytes of its own.
void append_unescaped(std::string_view text, std::string& out);

/// Appends a number without exponent that has the value of `text`, a number of JSON. Exponents beyond 1000 count as
/// 1000, those below -1000 as -1000.
void append_plain_number(std::string_view text, std::string& out);

}  // namespace sortie
