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

/// A sample of an input is taken in stretches of so many bytes.
inline constexpr std::size_t kSampledBytes = 4096;

/// The least number of stretches, if stretches far apart are compared.
inline constexpr std::size_t kLeastSamplePositions = 32;

/// How many stretches of an input are sampled: `least` to 256.
std::size_t sample_positions(std::uint64_t input_bytes, std::size_t least = kLeastSamplePositions);

/// The whole lines in a stretch; none if it is too small for one. `is_first`: it is the begin of the input.
/// Precondition: plain framing.
std::span<const std::byte> whole_lines_in(const Layout& layout, std::span<const std::byte> position, bool is_first);

/// Gives the whole lines of a stretch, by its offset and its size in bytes.
using LinesAt = FunctionRef<std::span<const std::byte>(std::uint64_t, std::size_t)>;

/// Lines of stretches all over an input, in the order in which they lie there; all lines if it is small. The first
/// stretch begins where the input does, and the last ends where it ends.
std::vector<std::byte> sample_all_over(std::uint64_t input_bytes, LinesAt lines_at);

/// These lines, encoded. Their positions are those in the sample.
EncodedLines encoded_sample(const RecordCodec& codec, std::span<const std::byte> lines);

/// Whether an input is nearly in order, by encoded lines of `positions` stretches all over it.
bool is_nearly_in_order(const RecordOrder& order, std::span<const std::byte> sample, std::size_t positions);

/// Whether all records are in order, as far as a sample says.
class SortedSample {
 public:
  /// `codec`: of the input, whose records are not length-prefixed; it must outlive this.
  explicit SortedSample(const RecordCodec& codec) : layout_(layout_of(codec.input_format())), codec_(codec) {}

  /// Whether all whole records of stretches all over `input` are in order. Reads nothing on, and looks at no more of
  /// them once it finds one out of order. False if the size of the input is unknown, or if records are about as long as
  /// a stretch.
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
