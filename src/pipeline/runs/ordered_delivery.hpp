// Lines that come nearly in order form no runs: they are put in order as they are read (ordered_batch.hpp), and go on
// to the output piece by piece, while they are in the caches. Whether they are in order to the end is known at the end,
// so the output must be one that can be begun anew. Used by SortJob.
#pragma once

#include <cstdint>
#include <exception>

#include "engine/engine.hpp"
#include "pipeline/input/keyed_reader.hpp"

namespace sortie {

/// Records cannot be passed straight to the output; the sort must begin anew and form runs: a line came after ones that
/// it belongs far in front of, or is too long; a record of an input that seemed to be sorted is out of order; or memory
/// ran out.
class NeedsRuns : public std::exception {
 public:
  const char* what() const noexcept override { return "the sort has to form runs"; }
};

/// Passes all lines on to `consume`, in pieces of a few megabytes, and of up to `most_bytes` for a long line. `refer`:
/// encoded lines hold references in place of lines. Throws NeedsRuns; what was passed on until then is worth
/// nothing.
void deliver_in_order(KeyedReader& lines, bool refer, std::uint64_t most_bytes, const PartConsumer& consume);

}  // namespace sortie
