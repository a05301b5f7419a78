// Pushes all records of a format's files to a sort: the next batch is read while the last one is pushed. Called by the
// jobs of all formats.
#pragma once

#include "formats/file_format.hpp"
#include "pipeline/pushed_sort.hpp"

namespace sortie::formats {

/// Returns when all are pushed. Throws Error as the reader and the sort do.
void push_all(FormatFiles& files, PushedSort& sort);

}  // namespace sortie::formats
