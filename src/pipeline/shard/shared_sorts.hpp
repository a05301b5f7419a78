// The sorts that processes share. An output in the order of the input takes two: processes do the first one, whose
// merges write records behind their positions, and then the second one, by these. So does a sample, which the first one
// draws; what else is asked for is a sort of its own, of what the second one writes. Whoever divides the work starts
// all.
//
//   form ─▶ cut ─▶ merge ── records, positions ──▶ form ─▶ cut ─▶ merge ─▶ output
//   by keys                                        by positions
#pragma once

#include <sortie/options.hpp>

#include "record/record_form.hpp"

namespace sortie {

struct SharedSort {
  SortOptions options;
  RecordForm form = RecordForm::kPlain;  ///< in which its merges write
};

/// What processes do first: all of a sort, unless it is a chain of them (setup/chain_shape.hpp).
SharedSort first_shared_sort(const SortOptions& options);

}  // namespace sortie
