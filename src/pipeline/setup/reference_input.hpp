// Decides whether decorated lines refer to a mapped input instead of holding a copy of their line each: if the only
// input is a file that lies in memory anyway, and there is room beside it for keys and references. Called by JobInputs
// before engines start.
//
//   input, mapped   | line | line | line | ...
//   sorted          | key reference | key reference | key reference | ...
#pragma once

#include <memory>
#include <optional>

#include "pipeline/input/record_reader.hpp"
#include "pipeline/setup/input_estimate.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

/// Lines that refer to the input: their decorator, and an estimate of their sizes.
struct LinesInPlace {
  std::shared_ptr<const LineDecorator> decorator;
  InputEstimate estimate;
};

/// Maps the input of `reader`; the format of decorated lines stays the same. Returns nothing and leaves everything as
/// it is if that is impossible. Preconditions: the job decorates lines, nothing has been read.
std::optional<LinesInPlace> refer_to_input(const ResolvedOptions& resolved, RecordReader& reader);

}  // namespace sortie
