// Whether decorated lines refer to an input that is mapped, instead of holding a copy of their line each: where the
// only input is a file that lies in memory anyway, and there is room beside it for keys and references. Asked by the
// sort before engines start.
//
//   input, mapped   | line | line | line | ...
//   sorted          | key reference | key reference | key reference | ...
#pragma once

#include <optional>

#include "pipeline/input/record_reader.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

/// Maps the input of `reader`, and returns the decorator of lines that refer to it; the format of decorated lines stays
/// the same. Nothing, and nothing is done, if it does not apply. Precondition: nothing has been read.
std::shared_ptr<const LineDecorator> refer_to_input(const ResolvedOptions& resolved, RecordReader& reader);

}  // namespace sortie
