// The work of check(): reads the inputs through and looks for the first record that is out of order. It then leaves a
// redirected standard input where GNU sort would.
#pragma once

#include <cstdint>
#include <optional>

#include <sortie/sort.hpp>

#include "io/files/file.hpp"

namespace sortie {

std::optional<Disorder> find_disorder_in_inputs(FileSystem& files, const SortOptions& options);

/// Where a check that ends before its input leaves a redirected standard input, for whoever reads on. GNU sort reads
/// ahead by whole buffers and stops behind the last one, beyond the line that is out of order. How far the buffers go
/// depends on the lengths of all lines, so the position is computed afterwards. Open for tests.
/// The offset up to which GNU sort -c has read the file when it has seen the line that ends at `line_end`.
/// `buffer_bytes`: value of its option -S, 0 without. Reads the file up to there. Throws Error if it cannot be read.
std::uint64_t position_after_check(File& file, char delimiter, std::uint64_t line_end, std::uint64_t buffer_bytes);

}  // namespace sortie
