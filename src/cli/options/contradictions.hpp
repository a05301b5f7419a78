// Refuses options that do not go together, in the words of the command line. parse_command_line() asks once it has all
// of them.
#pragma once

#include <optional>

#include <sortie/join.hpp>

#include "cli/options/request.hpp"

namespace sortie::cli {

/// Whether lines in front are kept apart, by their number or by what they begin with.
bool asks_for_header(const Request& request);

/// Gives records of CSV the header that they have where no option speaks of one.
void settle_header(Request& request);

/// Throws Error if --no-header leaves columns without the names by which they are asked for. `join`: none if there is
/// none.
void refuse_names_without_header(const Request& request, const std::optional<JoinOptions>& join);

/// Whether any option of a sort by several processes is given.
bool asks_for_shards(const Request& request);

/// Throws Error for options that tell different forms of lines.
void refuse_contradictory_forms(const Request& request);

/// Throws Error for all others: first those that GNU sort finds, in its order, which is that of --debug
/// before that of a check. Precondition: the format is made, since mistakes in keys come before.
void refuse_contradictions(const Request& request);

}  // namespace sortie::cli
