// The options that say with what to sort: memory, scratch space, threads, engine and GPUs. Request collects them.
#pragma once

#include <optional>
#include <string>

#include <sortie/options.hpp>

#include "cli/options/argument_parser.hpp"

namespace sortie::cli {

/// Takes an option of the group kResources. `compress_program`: what --compress-program was given, of which `options`
/// has only programs that Sortie does not do the work of. Throws Error, UsageError.
void apply_resource_option(SortOptions& options, std::optional<std::string>& compress_program,
                           const Argument& argument);

}  // namespace sortie::cli
