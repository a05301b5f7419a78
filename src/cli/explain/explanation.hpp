// What --explain prints.
#pragma once

#include <string>

#include <sortie/join.hpp>
#include <sortie/options.hpp>

namespace sortie::cli {

/// What the options order by, in words, and what a join makes of the inputs if there is one (else null); then, if there
/// are inputs of lines that are no CSV, the first lines of the first one with what each key reads underlined, in the
/// form of --debug. Throws Error.
std::string explanation(SortOptions options, const JoinOptions* join);

}  // namespace sortie::cli
