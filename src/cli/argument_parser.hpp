// Splits the command line into options with their values, and operands, as GNU programs do: short options
// may be joined, long ones shortened, options may follow operands. parse_command_line() gives it sense.
#pragma once

#include <string>
#include <vector>

#include "cli/option_table.hpp"

namespace sortie::cli {

struct Argument {
  const OptionSpec* option = nullptr;  ///< null: an operand
  std::string value;                   ///< of the option, empty if it has none; or the operand
};

/// In the order given. With `operands_end_options` (POSIXLY_CORRECT), what follows the first operand is
/// an operand too. Throws UsageError.
std::vector<Argument> parse_arguments(const std::vector<std::string>& words, bool operands_end_options);

}  // namespace sortie::cli
