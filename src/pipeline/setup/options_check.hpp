// Refuses options of a sort with impossible values: callers of the library may have put anything in them. The public
// functions call it once, before anything is opened.
#pragma once

#include <sortie/options.hpp>
#include <sortie/sort_array.hpp>

namespace sortie {

/// Throws Error for values that are out of range, paths that no file can have, and options that contradict each other.
/// Looks at no file.
void validate(const SortOptions& options);

/// The same for arrays.
void validate(const ArrayOptions& options);

/// Throws Error for what a sort by several processes cannot do.
void refuse_what_processes_cannot(const SortOptions& options);

}  // namespace sortie
