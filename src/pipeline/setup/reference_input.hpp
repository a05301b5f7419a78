// Decides whether decorated lines refer to a mapped input instead of holding a copy of their line each: if the only
// input is a file that lies in memory anyway, and there is room beside it for keys and references. Called by the sort
// before engines start.
//
//   input, mapped   | line | line | line | ...
//   sorted          | key reference | key reference | key reference | ...
#pragma once

#include <optional>

#include "pipeline/input/record_reader.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

/// Maps the input of `reader`, and returns the decorator of lines that refer to it; the format of decorated lines stays
/// the same. Returns null and leaves everything as it is if that is impossible. Precondition: nothing has been read.
std::shared_ptr<const LineDecorator> refer_to_input(const ResolvedOptions& resolved, RecordReader& reader);

}  // namespace sortie
