// Whether an input is in order already, as far as a sample tells: then it need not be sorted, but can be merged with
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

  /// Whether all whole records in places all over `input` are in order. Reads nothing on, and looks at no more places
  /// once it finds one out of order. False if the size of the input is unknown, or if hardly a record fits a place.
  bool is_in_order(Input& input) const;

 private:
  /// Bytes of the input. It may begin and end within a record.
  struct Place {
    std::vector<std::byte> bytes;
    std::uint64_t offset = 0;
    bool ends_input = false;
  };

  std::size_t place_bytes() const;
  Place read_place(Input& input, std::uint64_t offset) const;
  std::optional<std::uint64_t> follow(const Place& place, std::optional<SortedScan>& scan) const;
  std::span<const std::byte> whole_records_in(const Place& place, bool inside_quotes) const;
  std::vector<std::byte> sorted_form(const Place& place, bool inside_quotes) const;

  Layout layout_;
  const RecordCodec& codec_;
};

}  // namespace sortie
