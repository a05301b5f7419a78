// Whether an input is nearly in order, as far as a sample from all over it tells. Asked by JobInputs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pipeline/input/input_sequence.hpp"
#include "record/layout.hpp"
#include "record/record_order.hpp"
#include "record/text/decorated_lines.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// Lines from places all over the only input, where they lie; none from a place that is too small for a line. Reads
/// nothing on. Preconditions: inputs.size_of_only(), plain framing.
std::vector<std::byte> sample_all_over(const InputSequence& inputs, const Layout& layout);

/// These lines, decorated. Their places are those in the sample.
DecoratedLines decorated_sample(const LineDecorator& decorator, std::span<const std::byte> lines);

/// Whether an input is nearly in order, by decorated lines from all over it.
bool is_nearly_in_order(const RecordOrder& order, std::span<const std::byte> sample);

}  // namespace sortie
