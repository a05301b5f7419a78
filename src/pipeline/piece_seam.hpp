// The order of records from one piece of a sequence to the next. Used by what looks at sequences piece by
// piece: the check of the output, and the scan of inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/record_order.hpp"

namespace sortie {

class PieceSeam {
 public:
  /// `unique`: equal records must not follow each other either. `order` must outlive this.
  PieceSeam(const RecordOrder& order, bool unique) : order_(order), unique_(unique) {}

  /// Whether the first of `records`, which are whole ones, may follow the last one of the piece before.
  bool may_follow(std::span<const std::byte> records) const {
    if (last_.empty()) return true;
    const std::uint64_t stored = stored_length(order_.layout(), records.data(), records.data() + records.size());
    return order_.compare(last_, records.first(static_cast<std::size_t>(stored))) <= (unique_ ? -1 : 0);
  }

  /// Remembers the last of `records` for the next piece.
  void pass(std::span<const std::byte> records) {
    const Record last = last_record(order_.layout(), records);
    last_.assign(last.begin(), last.end());
  }

 private:
  const RecordOrder& order_;
  bool unique_;
  std::vector<std::byte> last_;
};

}  // namespace sortie
