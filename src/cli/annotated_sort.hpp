// Sorts as --debug asks for: lines come with their keys underlined. run_action() calls it.
#pragma once

#include <sortie/options.hpp>
#include <sortie/report.hpp>

namespace sortie::cli {

/// Sorts lines and writes them, each followed by its annotation, to standard output. Throws Error.
SortReport sort_annotated(SortOptions options);

}  // namespace sortie::cli
