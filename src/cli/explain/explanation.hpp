// What --explain and --columns print.
#pragma once

#include <string>

#include <sortie/join.hpp>
#include <sortie/options.hpp>

namespace sortie::cli {

/// What the options order by, in words, and what a join makes of the inputs if there is one (else null); then, if there
/// are inputs of lines that are no CSV, the first lines of the first one with what each key reads underlined, in the
/// form of --debug. Throws Error.
std::string explanation(SortOptions options, const JoinOptions* join);

/// A line for each column of the first input's header: its number, a tab, and its name as a key has it, in quotes if
/// need be; nothing behind the tab if only its number leads to it: it has no name, or shares it, or that holds control
/// characters. Throws Error.
std::string column_list(const SortOptions& options);

}  // namespace sortie::cli
