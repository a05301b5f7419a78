// The names of --files0-from: each ended by NUL, so that names may hold anything.
#pragma once

#include <string>
#include <vector>

namespace sortie::cli {

/// The names in the file `path`; "-" is standard input, which then cannot be one of them. Throws Error.
std::vector<std::string> read_input_names(const std::string& path);

}  // namespace sortie::cli
