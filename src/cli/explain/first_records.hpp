// The beginning of the input, for what tells people about it.
#pragma once

#include <cstdint>
#include <string>

#include <sortie/options.hpp>

namespace sortie::cli {

/// The header of the first input, of `options.header_lines` records, and `count` records behind it, as they come; fewer
/// if there are no more. Reads little more than that. Throws Error.
std::string first_records(const SortOptions& options, std::uint64_t count);

}  // namespace sortie::cli
