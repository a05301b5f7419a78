// What the command does once it knows what is asked: one function for each action, each returning the
// exit status. They throw Error.
#pragma once

#include "cli/command_line.hpp"
#include "cli/diagnostics.hpp"

namespace sortie::cli {

inline constexpr int kExitSorted = 0;
inline constexpr int kExitDisorder = 1;
inline constexpr int kExitTrouble = 2;
/// A word that an option does not take: as GNU programs, not kExitTrouble.
inline constexpr int kExitArgument = 1;

int run_action(const CommandLine& command, const Diagnostics& diagnostics);

}  // namespace sortie::cli
