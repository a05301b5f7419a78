// Reads numbers from the system's small text files, such as those in /proc and /sys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sortie {

/// The number that a file begins with; nothing if there is none, or no file.
std::optional<std::uint64_t> read_number(const std::string& path);

/// The number that follows `name` in a file of names and numbers.
std::optional<std::uint64_t> read_named_number(const std::string& path, const std::string& name);

}  // namespace sortie
