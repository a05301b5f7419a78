// Examines consecutive parts of the output: their order, also from one part to the next, and their totals.
// Used by the output stage.
#pragma once

#include <cstddef>
#include <span>

#include "pipeline/records/piece_seam.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class PartCheck {
 public:
  PartCheck(const Format& format, const RecordOrder& order, bool unique)
      : format_(format), order_(order), unique_(unique), seam_(order, unique) {}

  /// Returns the totals of the next part, which must hold whole records, at least one. Parallel. Throws Error if they
  /// are out of order, unless `checks_order` is false.
  RecordTotals examine(std::span<const std::byte> part, bool checks_order = true);

 private:
  const Format& format_;
  const RecordOrder& order_;
  bool unique_;
  PieceSeam seam_;
};

}  // namespace sortie
