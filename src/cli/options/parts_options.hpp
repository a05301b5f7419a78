// The options of an output in parts: where it is cut, and the list of the parts. Request collects them.
#pragma once

#include <optional>
#include <string>

#include <sortie/parts.hpp>

#include "cli/options/argument_parser.hpp"

namespace sortie::cli {

/// Takes --split, --split-size, --split-records, --split-by, whose KEY goes to `split_by`, --together or --manifest.
/// Throws Error, UsageError.
void apply_parts_option(Parts& parts, std::optional<std::string>& split_by, const Argument& argument);

}  // namespace sortie::cli
