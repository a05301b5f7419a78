// What all options together ask for. The command line and Python settle a request when they have filled it.
#pragma once

#include <sortie/join_options.hpp>

#include "option/request.hpp"

namespace sortie::option {

/// Settles how the options go together: the format, and the order in the C library's current locale, the header,
/// groups, seeds. Then `request.options` are those of the sort. Reads the source of random bytes if the order is
/// random. Throws Error if options contradict each other.
void settle(Request& request);

/// The same for rows of a table, whose schema says their format and order.
void settle_rows(Request& request);

/// What a join is asked for, all but its sort, which is `request.options`. Throws Error, also for options that do not
/// go together. Precondition: settle() has been called.
JoinOptions join_options_of(const Request& request);

/// Throws Error if names of columns are asked for where records have none. `join`: null if there is none.
void refuse_names_without_header(const Request& request, const JoinOptions* join);

}  // namespace sortie::option
