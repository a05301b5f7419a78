// Does a sort again if a GPU fails: with less of the GPU, and in the end without it. And if inputs that seemed to be
// in order are not.
#pragma once

#include <sortie/sort.hpp>

#include "io/files/file.hpp"
#include "observe/observer.hpp"
#include "pipeline/setup/machine.hpp"
#include "record/record_form.hpp"

namespace sortie {

/// Runs the sort, and writes statistics and report page if the options ask for them. If a GPU runs out of memory, the
/// sort begins anew with a smaller --device-memory. Then, and after any other failure of a GPU, it begins anew with the
/// CPU engine; the report's device_failure has the failure. It does not begin anew if the inputs cannot be read twice,
/// or if part of the output has gone to a pipe: then it throws the failure. It also throws if a GPU was asked for and
/// is too full to begin with. Inputs of which a sample is in order pass without runs if all that was written can be
/// thrown away; if other records are not in order, the sort begins anew. Throws Error. The rule is after_failure() in
/// setup/engine_pool.hpp. `form`: in which records are written, to an output that takes them so; parts of the output
/// get them as they need them. `observer`: as observed_sort() has it.
SortReport sort_with_fallback(FileSystem& files, const SortOptions& options, const Machine& machine = this_machine(),
                              RecordForm form = RecordForm::kPlain, Observer* observer = nullptr);

}  // namespace sortie
