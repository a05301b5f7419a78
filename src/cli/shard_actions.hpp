// The command as one process of a sort by several: does its part, and prints what came of it as a line of JSON.
#pragma once

#include <string>

#include "cli/diagnostics.hpp"
#include "cli/options/command_line.hpp"

namespace sortie::cli {

/// The line that says what was done. Throws Error.
std::string run_shard_action(CommandLine command, const Diagnostics& diagnostics);

}  // namespace sortie::cli
