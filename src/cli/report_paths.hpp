// Statistics and traces are written beside the data, never over it. run_sort() asks before it opens their files.
#pragma once

#include <string>

#include <sortie/options.hpp>

namespace sortie::cli {

/// Throws Error if --stats-json or --trace names a file that is also an input or the output: to open it would empty it.
void refuse_reports_over_data(const SortOptions& options, const std::string& stats_json_path);

}  // namespace sortie::cli
