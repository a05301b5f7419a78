// What --explain prints.
#pragma once

#include <string>

#include <sortie/options.hpp>

namespace sortie::cli {

/// What the options order by, in words; then, if there are inputs of lines that are no CSV, the first lines of the
/// first one with what each key reads underlined, in the form of --debug. Throws Error.
std::string explanation(const SortOptions& options);

}  // namespace sortie::cli
