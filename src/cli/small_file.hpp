// Small files that options name: lists of names, sources of random bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>

namespace sortie::cli {

/// What is to be said of a file that is open and cannot be read, and why it cannot: an errno.
using ReadComplaint = std::function<std::string(int error_number)>;

/// The bytes of the file `path`, at most the first `limit`. Throws Error.
std::string read_small_file(const std::string& path, const ReadComplaint& unreadable,
                            std::size_t limit = std::numeric_limits<std::size_t>::max());

/// The same of standard input.
std::string read_standard_input(const ReadComplaint& unreadable);

}  // namespace sortie::cli
