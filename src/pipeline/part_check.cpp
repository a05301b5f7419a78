#include "pipeline/part_check.hpp"

#include "pipeline/output_fault.hpp"
#include "record/examination.hpp"

namespace sortie {

RecordTotals PartCheck::examine(std::span<const std::byte> part) {
  const Examination found = examine_records(format_, order_, part, unique_);
  if (found.disorder || !may_follow_last(part)) throw_output_fault("the sorted records are not in order");
  const Record last = last_record(order_.layout(), part);
  last_.assign(last.begin(), last.end());
  return found.totals;
}

bool PartCheck::may_follow_last(std::span<const std::byte> part) const {
  if (last_.empty()) return true;
  const std::uint64_t stored = stored_length(order_.layout(), part.data(), part.data() + part.size());
  return order_.compare(last_, part.first(static_cast<std::size_t>(stored))) <= (unique_ ? -1 : 0);
}

}  // namespace sortie
