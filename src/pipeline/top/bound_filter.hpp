// Finds the records that come before a bound. As a rule that is nearly none, so most must be passed over as fast as
// memory gives them. Used by TopRecords.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/top/top_candidates.hpp"
#include "record/record_order.hpp"

namespace sortie {

struct BoundFiltered {
  std::vector<Record> records;  ///< records that may be wanted, in input order
  std::uint64_t others = 0;     ///< number of records that are not wanted
};

/// Runs on the calling thread. `records` must be whole. Precondition: numbers with equal keys are not all needed.
BoundFiltered filter_by_bound(const TopCandidates& candidates, const RecordOrder& order,
                              std::span<const std::byte> records);

}  // namespace sortie
