// Whether an input is in order already, as far as a sample says: then it need not be sorted, but can be merged with
// others while it is read. Used by JobInputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <sortie/format.hpp>

#include "io/input/input.hpp"
#include "pipeline/scan/sorted_scan.hpp"
#include "record/layout.hpp"
#include "record/record_order.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

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
