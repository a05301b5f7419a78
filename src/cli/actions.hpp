// What the command does once it knows what is asked: run_action() does it and returns the exit status. Throws Error.
#pragma once

#include "cli/diagnostics.hpp"
#include "cli/options/command_line.hpp"

namespace sortie::cli {

inline constexpr int kExitSorted = 0;
inline constexpr int kExitDisorder = 1;
inline constexpr int kExitTrouble = 2;
/// For a word that an option does not take: as in GNU programs, not kExitTrouble.
inline constexpr int kExitArgument = 1;

int run_action(CommandLine command, const Diagnostics& diagnostics);

}  // namespace sortie::cli
