// What a join refuses, and what each of its sorts is asked for. Called by join().
#pragma once

#include <sortie/join.hpp>

namespace sortie {

/// Throws Error for what contradicts itself or makes no sense in a join. Precondition: validate(options.sort).
void validate(const JoinOptions& options);

/// The sort of one input, without its share of resources: it keeps equal keys in input order, by bytes.
SortOptions left_sort(const JoinOptions& options);
SortOptions right_sort(const JoinOptions& options);

}  // namespace sortie
