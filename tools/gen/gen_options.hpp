// sortie-gen's command line: gensort's arguments and its own.
#pragma once

#include <optional>
#include <string>

#include "tools/gen/record_source.hpp"

namespace sortie::tools {

struct GenOptions {
  DataSet data_set;
  std::string output;     ///< path, or "-" for standard output
  bool checksum = false;  ///< whether to print it on standard error
  unsigned threads = 0;   ///< 0 for all
};

/// Returns nothing if --help or --version was given and answered. Throws Error.
std::optional<GenOptions> parse_gen_options(int argc, const char* const* argv);

/// Parses a decimal number of at most 128 bits. Throws Error naming it.
Uint128 parse_record_number(std::string_view text);

}  // namespace sortie::tools
