// Counts how often a byte occurs, at the speed of memory: delimiters of lines, quotes of CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sortie {

std::uint64_t count_bytes(std::span<const std::byte> bytes, char wanted);

}  // namespace sortie
