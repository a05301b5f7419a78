// What the user asked for: the action, and the options that the library takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sortie/options.hpp>

namespace sortie::cli {

enum class Action : std::uint8_t { kSort, kCheck, kCheckQuietly, kPlan, kHelp, kVersion };

struct CommandLine {
  Action action = Action::kSort;
  SortOptions options;
  bool print_stats = false;
  std::string stats_json_path;  ///< empty: none
};

/// `words` are the arguments after the program's name. Throws UsageError for a command line that cannot be
/// understood, Error for values that are not possible.
CommandLine parse_command_line(const std::vector<std::string>& words);

}  // namespace sortie::cli
