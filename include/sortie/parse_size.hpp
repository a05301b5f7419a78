// Sizes and counts as people write them, for callers that take them from a command line or a file.
#pragma once

#include <cstdint>
#include <string_view>

namespace sortie {

/// Parses a size as GNU sort's -S does: an integer with an optional suffix b (bytes), K (default),
/// M, G, T, P, E, Z, Y (powers of 1024), or % of `whole_bytes`. Throws Error naming `option`.
std::uint64_t parse_size(std::string_view text, std::string_view option, std::uint64_t whole_bytes);

/// Parses a whole number; one that is too large is UINT64_MAX. Throws Error naming `option`.
std::uint64_t parse_count(std::string_view text, std::string_view option);

}  // namespace sortie
