// Checks the order of records from one piece of a sequence to the next. Used where sequences are checked piece by
// piece: by the checks of the output and the scan of inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/records/exact_order.hpp"
#include "pipeline/records/key_equality.hpp"
#include "record/record_order.hpp"

namespace sortie {

class PieceSeam {
 public:
  /// `unique`: equal keys must not follow each other either. `decorator`: for decorated lines, null otherwise. All
  /// references must outlive this.
  PieceSeam(const RecordOrder& order, bool unique, const LineDecorator* decorator = nullptr)
      : order_(order, decorator), unique_(unique), equal_keys_(order, decorator) {}

  /// Whether the first of `records`, which must be whole, may follow the last one of the piece before.
  bool may_follow(std::span<const std::byte> records) const {
    if (last_.empty()) return true;
    if (order_.compare(last_, first_of(records)) > 0) return false;
    return !unique_ || !repeats_key(records);
  }

  /// Whether the first of `records` has the key of the last one of the piece before.
  bool repeats_key(std::span<const std::byte> records) const {
    return !last_.empty() && equal_keys_(last_, first_of(records));
  }

  /// Remembers the last of `records` for the next piece.
  void pass(std::span<const std::byte> records) {
    const Record last = last_record(order_.layout(), records);
    last_.assign(last.begin(), last.end());
  }

 private:
  Record first_of(std::span<const std::byte> records) const {
    const std::uint64_t stored = stored_length(order_.layout(), records.data(), records.data() + records.size());
    return records.first(static_cast<std::size_t>(stored));
  }

  ExactOrder order_;
  bool unique_;
  KeyEquality equal_keys_;
  std::vector<std::byte> last_;
};

}  // namespace sortie
