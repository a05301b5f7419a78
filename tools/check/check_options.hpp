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
  std::string summary_path;         ///< to write; empty: none, and the order is judged
  std::string compare_path;         ///< summary of the input; empty: none
  std::vector<std::string> inputs;  ///< that the file should be the sorted records of; none: not compared
  unsigned threads = 0;             ///< 0: all
};

/// Nothing if --help or --version was asked for and answered. Throws Error.
std::optional<CheckOptions> parse_check_options(int argc, const char* const* argv);

}  // namespace sortie::tools
