// Cuts the output off behind its first records. Used by finishers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "record/layout.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class RecordLimit {
 public:
  /// `most_records`: the greatest number for any number.
  RecordLimit(const Format& format, std::uint64_t most_records, bool checksum)
      : format_(format), layout_(layout_of(format)), left_(most_records), checksum_(checksum) {}

  /// Returns the beginning of the next part that the output still takes. `part` must hold whole records.
  std::span<std::byte> apply(std::span<std::byte> part) {
    if (left_ == std::numeric_limits<std::uint64_t>::max()) return part;
    const std::size_t bytes = first_records(layout_, part, left_);
    left_ -= count_records(layout_, part.first(bytes));
    if (bytes < part.size()) dropped_ += totals_of(format_, part.subspan(bytes), checksum_);
    return part.first(bytes);
  }

  bool is_full() const { return left_ == 0; }

  /// Totals of the records cut off.
  const RecordTotals& dropped() const { return dropped_; }

 private:
  Format format_;
  Layout layout_;
  std::uint64_t left_;
  bool checksum_;
  RecordTotals dropped_;
};

}  // namespace sortie
