// The command as one process of a sort by several: forms a shard, cuts its runs, merges a range, or cuts it into files.
#pragma once

#include <string>

#include <sortie/error.hpp>
#include <sortie/join.hpp>

#include "cli/diagnostics.hpp"
#include "cli/options/command_line.hpp"

namespace sortie::cli {

/// The options of a command that joins.
JoinOptions join_options(const CommandLine& command);

/// Does its part, and returns what came of it as a line of JSON. Throws Error.
std::string shard_action(CommandLine command, const Diagnostics& diagnostics);

/// What a program decides by where a part has failed, as a line of JSON; empty if there is nothing of the kind.
/// "file": the one that cannot be used; its path as it is, or as messages show it where the system has refused a call.
/// "refused": "record" for one of an input that no row can be made of, "shard" for a folder that holds another one.
std::string for_programs(const Error& error);

}  // namespace sortie::cli
