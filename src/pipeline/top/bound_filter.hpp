// Which of many records come before a bound: nearly none as a rule, so most must be passed over as fast as memory gives
// them. Used by TopRecords.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/top/top_candidates.hpp"
#include "record/record_order.hpp"

namespace sortie {

struct BoundFiltered {
  std::vector<Record> records;  ///< that may be wanted, in order
  std::uint64_t others = 0;     ///< how many are not
};

/// Looks at whole records, on the calling thread. Precondition: numbers with equal keys are not all needed.
BoundFiltered filter_by_bound(const TopCandidates& candidates, const RecordOrder& order,
                              std::span<const std::byte> records);

}  // namespace sortie
