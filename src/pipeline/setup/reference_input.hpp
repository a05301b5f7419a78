// Decides whether encoded lines refer to a mapped input instead of holding a copy of their line each: if the only
// input is a file that lies in memory anyway, and there is room beside it for keys and references. Called by JobInputs
// before engines start.
//
//   input, mapped   | line | line | line | ...
//   sorted          | key reference | key reference | key reference | ...
#pragma once

#include <memory>
#include <optional>

#include "observe/observer.hpp"
#include "pipeline/input/record_reader.hpp"
#include "pipeline/setup/input_estimate.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {

/// The codec of lines that refer to mapped ones, an estimate of the sizes of these, and a sample of them.
struct LinesInPlace {
  std::shared_ptr<const RecordCodec> codec;
  InputEstimate estimate;
  EncodedLines sample;
};

/// Maps the only input; the format of encoded lines stays the same. Returns nothing and leaves everything as it is if
/// that is impossible. Preconditions: the job encodes lines, records.inputs().size_of_only().
std::optional<LinesInPlace> refer_to_input(const SortSpec& spec, const MemoryBudget& budget, RecordReader& records);

}  // namespace sortie
