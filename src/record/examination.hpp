// Order and totals of records in one pass over memory: what the last check before the output needs of
// every part. Called by the output stage.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "record/record_order.hpp"
#include "record/record_totals.hpp"

namespace sortie {

struct Examination {
  RecordTotals totals;
  /// Offset of the first record that is before the one that precedes it (or, if unique, has an equal key).
  std::optional<std::size_t> disorder;
};

/// find_disorder() and totals_of() with checksum, together. Parallel. Precondition: `order` is the format's,
/// bytes are whole records.
Examination examine_records(const Format& format, const RecordOrder& order, std::span<const std::byte> bytes,
                            bool unique);

}  // namespace sortie
