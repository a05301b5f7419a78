// What --columns prints: how keys may name the columns of CSV.
#pragma once

#include <string>

#include <sortie/options.hpp>

namespace sortie::cli {

/// A line for each column of the first input's header: its number, a tab, and its name as a key has it, in quotes if
/// need be; nothing behind the tab if only its number leads to it: it has no name, or shares it, or that holds control
/// characters. Throws
/// Error.
std::string column_list(const SortOptions& options);

}  // namespace sortie::cli
