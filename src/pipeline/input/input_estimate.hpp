// Estimates the sizes of records before they are sorted; for lines, from a sample. Used for plans, which divide memory
// before any input is read.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/input/record_reader.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// Sizes of records in the form in which they are sorted: lines may be decorated.
struct InputEstimate {
  std::optional<std::uint64_t> bytes;  ///< total, rather too high; nothing if the inputs' size is unknown
  std::uint64_t record_bytes = 0;      ///< average per record, rather too low; 0 if unknown
  std::uint64_t mapped_bytes = 0;      ///< length of a mapped input that the records refer to
};

/// `format`: that of the input. `decorator`: for lines that will be decorated, null otherwise.
InputEstimate estimate_input(const RecordReader& reader, const Format& format, const LineDecorator* decorator);

}  // namespace sortie
