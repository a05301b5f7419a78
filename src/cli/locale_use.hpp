// Whether the user's locale orders lines otherwise than "C" does. Where it does not, lines are ordered by the cheaper
// way of "C", to the same result. make_order() asks.
#pragma once

#include <sortie/text_order.hpp>

namespace sortie::cli {

/// Whether the C library's current locale makes a difference to the order. C.UTF-8, for one, orders as C does.
bool locale_matters(const TextOrder& order);

/// Whether text is compared by rules other than those of "C" and "POSIX" by name; for messages.
bool has_collation_rules();

}  // namespace sortie::cli
