#include "pipeline/output/part_check.hpp"

#include "pipeline/output/output_fault.hpp"
#include "record/examination.hpp"

namespace sortie {

RecordTotals PartCheck::examine(std::span<const std::byte> part, bool checks_order) {
  const Examination found = examine_records(format_, order_, part, unique_);
  if (checks_order && (found.disorder || !seam_.may_follow(part)))
    throw_output_fault("the sorted records are not in order");
  seam_.pass(part);
  return found.totals;
}

}  // namespace sortie
