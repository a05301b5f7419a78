// sortie-check's command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sortie/format.hpp>

namespace sortie::tools {

struct CheckOptions {
  Format format;
  std::string file;                 ///< path, or "-" for standard input
  std::string summary_path;         ///< summary to write; empty if the order is checked
  std::string compare_path;         ///< summary of the input; empty if there is none
  std::vector<std::string> inputs;  ///< files whose sorted records `file` should hold; not compared if empty
  unsigned threads = 0;             ///< 0 for all
};

/// Returns nothing if --help or --version was given and answered. Throws Error.
std::optional<CheckOptions> parse_check_options(int argc, const char* const* argv);

}  // namespace sortie::tools
