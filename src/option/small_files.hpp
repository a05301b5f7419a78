// Small files that options name: the list of --files0-from, whose names are each ended by NUL, so that they may hold
// anything, the chromosomes of --chromosomes, and the bytes of --random-source. Read while options are.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie::option {

/// Makes the message for a file that is open and cannot be read; `error_number` is the errno.
using ReadComplaint = std::function<std::string(int error_number)>;

/// The bytes of the file `path`, at most the first `limit`. Throws Error.
std::string read_small_file(const std::string& path, const ReadComplaint& unreadable,
                            std::size_t limit = std::numeric_limits<std::size_t>::max());

/// The same for standard input.
std::string read_standard_input(const ReadComplaint& unreadable);

/// The names in the file `path`; "-" is standard input, which then cannot be one of them. Throws Error.
std::vector<std::string> read_input_names(const std::string& path);

/// The names that an index of FASTA (.fai), a dictionary (.dict) or a list of sizes has: the first word of each line,
/// or of lines @SQ that of SN. Throws Error, also if there are none.
std::vector<std::string> read_chromosome_names(const std::string& path);

/// The first bytes of the file `source`, as GNU sort takes them. Throws Error.
RandomSeed read_random_seed(const std::string& source);

}  // namespace sortie::option
