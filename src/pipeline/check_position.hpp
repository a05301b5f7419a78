// Where a check that ends before its input does leaves a redirected standard input, for whoever goes on reading there.
// GNU sort has read a buffer further than to the line that is out of order, and leaves it behind that. Here the same is
// worked out afterwards: how far its buffers go depends on the lengths of all lines. Used by check_job.cpp.
#pragma once

#include <cstdint>

#include "io/file.hpp"

namespace sortie {

/// Offset of what GNU sort -c has not read when it has seen the line that ends at `line_end`. `buffer_bytes`: what its
/// option -S says; 0 without. Reads the file up to there. Throws Error if it cannot be read.
std::uint64_t position_after_check(File& file, char delimiter, std::uint64_t line_end, std::uint64_t buffer_bytes);

}  // namespace sortie
