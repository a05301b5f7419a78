// Original records: as they were read, although lines may carry keys on their way through a sort. Used where records
// are counted, shown or reported, and not changed.
#pragma once

#include <cstddef>
#include <vector>

#include "base/checksum.hpp"
#include "record/record_totals.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// `record` as it was read, without its keys. `decorator`: for decorated lines, null otherwise. The result lies in
/// `record`, or in `scratch` until that is used again.
inline Record original_record(const LineDecorator* decorator, Record record, std::vector<std::byte>& scratch) {
  if (decorator == nullptr) return record;
  if (!decorator->line_format().text.csv) return decorator->undecorate(record);
  scratch.assign(record.begin(), record.end());
  return decorator->restore(scratch);
}

/// Totals of one original line or record of fixed length.
inline RecordTotals totals_of_one(Record record, bool checksum) {
  return {1, record.size(), checksum ? hash_record(record) : Checksum()};
}

}  // namespace sortie
