// Refuses parts of an output that cannot be, before anything is opened.
#pragma once

#include <sortie/options.hpp>

#include "io/files/file.hpp"

namespace sortie {

/// Throws Error for contradictions in SortOptions::parts. Looks at no file.
void check_parts(const SortOptions& options);

/// Throws Error if a part could have the name of a file that the sort reads or writes otherwise.
void refuse_parts_in_other_use(FileSystem& files, const SortOptions& options);

}  // namespace sortie
