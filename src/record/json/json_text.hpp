// Strings and numbers of JSON as keys need them, and paths of values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sortie {

/// How many bytes the escape has that `text` begins with, at its backslash; 0 if JSON has no such escape.
std::size_t escape_bytes(std::string_view text);

/// Appends what stands between the quotes of a string, with its escapes replaced by UTF-8. A surrogate without its
/// other half becomes three bytes of its own.
void append_unescaped(std::string_view text, std::string& out);

/// Appends a number without exponent that has the value of `text`, a number of JSON. Exponents beyond 1000 count as
/// 1000, those below -1000 as -1000.
void append_plain_number(std::string_view text, std::string& out);

// Where in a JSON text the value of a key is: .user.id, .a[0], ."a b"[2].c, or . for all of it.

/// One step into an object or array.
struct JsonStep {
  std::string name;                  ///< of a member, unless there is an index
  std::optional<std::size_t> index;  ///< of an element, from 0
};

using JsonPath = std::vector<JsonStep>;

/// Cuts a path off the front of `text`, and returns it. Throws Error that says what is wrong with it.
JsonPath take_json_path(std::string_view& text);

}  // namespace sortie
