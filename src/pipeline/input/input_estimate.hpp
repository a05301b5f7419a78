// What is known of the records before they are sorted: lines are judged by a sample of them. For plans, which take
// memory before any input is read.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/input/record_reader.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// Sizes of records while they are sorted: lines may be decorated.
struct InputEstimate {
  std::optional<std::uint64_t> bytes;  ///< in all, and rather too many; nothing if the size of the inputs is unknown
  std::uint64_t record_bytes = 0;      ///< of one on average, and rather too few; 0 if unknown
  std::uint64_t mapped_bytes = 0;      ///< of an input that is mapped and that they refer to
};

/// `format`: of the input. `decorator`: of lines that will be decorated, else null.
InputEstimate estimate_input(const RecordReader& reader, const Format& format, const LineDecorator* decorator);

}  // namespace sortie
