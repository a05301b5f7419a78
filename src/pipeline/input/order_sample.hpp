// Samples from all over an input, and whether it is nearly in order as far as the sample shows. Used by JobInputs and
// RecordReader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "record/layout.hpp"
#include "record/record_order.hpp"
#include "record/text/encoded_lines.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// A sample is taken in places of so many bytes.
inline constexpr std::size_t kSampledBytes = 4096;

/// Positions of an input that are sampled at least, if those far apart are compared.
inline constexpr std::size_t kLeastSamplePositions = 32;

/// How many positions of an input are sampled: `least` to 256.
std::size_t sample_positions(std::uint64_t input_bytes, std::size_t least = kLeastSamplePositions);

/// The whole lines in `position`; none if it is too small for one. `is_first`: it is the begin of the input.
/// Precondition: plain framing.
std::span<const std::byte> whole_lines_in(const Layout& layout, std::span<const std::byte> position, bool is_first);

/// Gives the whole lines of a place: offset and bytes.
using LinesAt = FunctionRef<std::span<const std::byte>(std::uint64_t, std::size_t)>;

/// Lines from positions all over an input, in the order in which they lie there; all lines if it is small. The first
/// position begins where the input does, and the last ends where it ends.
std::vector<std::byte> sample_all_over(std::uint64_t input_bytes, LinesAt lines_at);

/// These lines, encoded. Their positions are those in the sample.
EncodedLines encoded_sample(const RecordCodec& codec, std::span<const std::byte> lines);

/// Whether an input is nearly in order, by encoded lines from `positions` positions all over it.
bool is_nearly_in_order(const RecordOrder& order, std::span<const std::byte> sample, std::size_t positions);

}  // namespace sortie
