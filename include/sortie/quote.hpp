// Quotes for messages, as GNU programs set them: what a user wrote is shown so that it can neither break the line nor
// steer a terminal.
#pragma once

#include <string>
#include <string_view>

namespace sortie {

/// 'text', with quotes, backslashes, control bytes and what is no character escaped as in C: 'a\tb'. The quotes are
/// curved where the C library's locale has UTF-8.
std::string quote_word(std::string_view text);

/// The text without quotes, and nothing but control bytes and what is no character escaped as in C: for messages that
/// set their own quotes.
std::string escape_unprintable(std::string_view text);

/// A file's name as a shell would take it back: as it is, or quoted where it must be: 'a b', "it's", 'a'$'\n''b'.
std::string quote_path(std::string_view name);

/// The same, quoted also where it need not be: 'name'.
std::string quote_path_always(std::string_view name);

}  // namespace sortie
