// Quotes for messages, as GNU programs set them: what a user wrote is shown so that it can neither break the line nor
// steer a terminal.
#pragma once

#include <string>
#include <string_view>

namespace sortie {

/// Returns 'text': in quotes, with quotes, backslashes, control bytes and invalid characters escaped as in C: 'a\tb'.
/// The quotes are curved where the C library's locale has UTF-8.
std::string quote_word(std::string_view text);

/// Returns the text without quotes; only control bytes and invalid characters are escaped, as in C. For messages that
/// set their own quotes.
std::string escape_unprintable(std::string_view text);

/// The same, but in every locale only control characters of UTF-8 are escaped. For programs of Python, whose texts know
/// no locale.
std::string escape_controls(std::string_view text);

/// A file's name in a form that a shell reads back: as it is, or quoted if it must be: 'a b', "it's", 'a'$'\n''b'.
std::string quote_path(std::string_view name);

/// The same, but always quoted: 'name'.
std::string quote_path_always(std::string_view name);

}  // namespace sortie
