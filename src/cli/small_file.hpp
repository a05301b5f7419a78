// Small files that options name: lists of names, sources of random bytes.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace sortie::cli {

/// The bytes of the file `path`, at most the first `limit`. Throws Error: `unreadable` if it is open and cannot be
/// read.
std::string read_small_file(const std::string& path, const std::string& unreadable,
                            std::size_t limit = std::numeric_limits<std::size_t>::max());

/// The same of standard input.
std::string read_standard_input(const std::string& unreadable);

}  // namespace sortie::cli
