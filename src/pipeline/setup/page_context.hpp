// What the page of --report shows of a sort beside its report: what was asked for, and of which machine. Called by
// SortJob when the sort is done.
#pragma once

#include <string>
#include <vector>

#include "io/output/output.hpp"
#include "observe/report_page.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {

/// What the records are called: "CSV", "JSON Lines", "entries", or as to_string() has it.
std::string words_for(const Format& format);

/// Looks at the inputs and the machine. Leaves out the timeline.
PageContext page_context(const SortSpec& spec, const std::vector<std::string>& scratch_directories,
                         const Output& output);

}  // namespace sortie
