// The seed of a random order: from a file, for a shuffle that can be repeated, or from the system.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace sortie::cli {

/// The first bytes of the file `source`, as GNU sort takes them, or random ones without a file. Throws Error.
std::array<std::byte, 16> random_seed(const std::optional<std::string>& source);

}  // namespace sortie::cli
