// Samples from all over an input, and whether it is in order, or nearly so, as far as a sample shows: then it need not
// be sorted, but can be merged with others or put in order while it is read. Used by JobInputs and RecordReader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "io/input/input.hpp"
#include "pipeline/scan/sorted_scan.hpp"
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

/// Whether all records are in order, as far as a sample says.
class SortedSample {
 public:
  /// `codec`: of the input, whose records are not length-prefixed; it must outlive this.
  explicit SortedSample(const RecordCodec& codec) : layout_(layout_of(codec.input_format())), codec_(codec) {}

  /// Whether all whole records at positions all over `input` are in order. Reads nothing on, and looks at no more
  /// positions once it finds one out of order. False if the size of the input is unknown, or if hardly a record fits a
  /// position.
  bool is_in_order(Input& input) const;

 private:
  /// Bytes of the input. It may begin and end within a record.
  struct Position {
    std::vector<std::byte> bytes;
    std::uint64_t offset = 0;
    bool ends_input = false;
  };

  std::size_t position_bytes() const;
  Position read_position(Input& input, std::uint64_t offset) const;
  std::optional<std::uint64_t> follow(const Position& position, std::optional<SortedScan>& scan) const;
  std::span<const std::byte> whole_records_in(const Position& position, bool inside_quotes) const;
  std::vector<std::byte> sorted_form(const Position& position, bool inside_quotes) const;

  Layout layout_;
  const RecordCodec& codec_;
};

}  // namespace sortie
