// Whether the user's locale orders lines otherwise than "C" does. If it does not, lines are ordered as in "C", which is
// cheaper and gives the same result.
#pragma once

#include <sortie/text_order.hpp>

namespace sortie::option {

/// Whether the C library's current locale makes a difference to the order. C.UTF-8, for one, orders as C does.
bool locale_matters(const TextOrder& order);

/// Whether characters are those of UTF-8. Where they are not, as in C, bytes are taken for characters.
bool has_utf8();

/// Whether the name of the collation rules is neither "C" nor "POSIX".
bool has_collation_rules();

}  // namespace sortie::option
