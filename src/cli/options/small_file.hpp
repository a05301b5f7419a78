// Small files that options name: lists of names, sources of random bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>

namespace sortie::cli {

/// Makes the message for a file that is open and cannot be read; `error_number` is the errno.
using ReadComplaint = std::function<std::string(int error_number)>;

/// The bytes of the file `path`, at most the first `limit`. Throws Error.
std::string read_small_file(const std::string& path, const ReadComplaint& unreadable,
                            std::size_t limit = std::numeric_limits<std::size_t>::max());

/// The same for standard input.
std::string read_standard_input(const ReadComplaint& unreadable);

}  // namespace sortie::cli
