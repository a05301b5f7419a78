// Samples from all over an input, and whether it is nearly in order as far as one tells. Asked by JobInputs;
// MappedLines takes its samples by the same rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/input/input_sequence.hpp"
#include "record/layout.hpp"
#include "record/record_order.hpp"
#include "record/text/decorated_lines.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// A sample is taken in places of so many bytes.
inline constexpr std::size_t kSampledBytes = 4096;

/// How many places of an input are sampled, 32 to 256. In inputs of less than 32 times kSampledBytes they overlap.
std::size_t sample_places(std::uint64_t input_bytes);

/// The whole lines in `place`; none if it is too small for one. `is_first`: it is the begin of the input. Precondition:
/// plain framing.
std::span<const std::byte> whole_lines_in(const Layout& layout, std::span<const std::byte> place, bool is_first);

/// Lines from places all over the only input, in the order in which they lie there. Reads nothing on. Preconditions:
/// inputs.size_of_only(), plain framing.
std::vector<std::byte> sample_all_over(const InputSequence& inputs, const Layout& layout);

/// These lines, decorated. Their places are those in the sample.
DecoratedLines decorated_sample(const LineDecorator& decorator, std::span<const std::byte> lines);

/// Whether an input is nearly in order, by decorated lines from all over it.
bool is_nearly_in_order(const RecordOrder& order, std::span<const std::byte> sample);

}  // namespace sortie
