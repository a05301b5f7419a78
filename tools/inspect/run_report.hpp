// A run file as text for people, and a check of all its blocks. Called by sortie_inspect.cpp; src/run/FORMAT.md has
// the format.
#pragma once

#include <string>
#include <vector>

#include "run/run_file.hpp"

namespace sortie::tools {

/// Header and totals, one line each.
std::string describe_run(const RunFile& run_file);

/// One line for each block under a line of headings: offset, sizes, ratio, records, codec, first key.
std::string describe_blocks(const Run& run);

/// Decodes every block, in parallel, and counts its records. One message for each damaged block, in order.
std::vector<std::string> find_damage(const RunFile& run_file);

}  // namespace sortie::tools
