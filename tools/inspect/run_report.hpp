// Describes a run file as text for people, and checks all its blocks. Called by sortie_inspect.cpp. src/run/FORMAT.md
// defines the format.
#pragma once

#include <string>
#include <vector>

#include "run/run_file.hpp"

namespace sortie::tools {

/// Describes the header and the totals, one line each.
std::string describe_run(const RunFile& run_file);

/// Describes each block in a line under a line of headings: offset, sizes, ratio, records, codec, first key.
std::string describe_blocks(const Run& run);

/// Decodes every block, in parallel, and counts its records. Returns one message for each damaged block, in order.
std::vector<std::string> find_damage(const RunFile& run_file);

}  // namespace sortie::tools
