// Records on their way through a sort as they were read: lines may carry keys then. For what counts records, shows them
// or tells of them without changing them.
#pragma once

#include <cstddef>
#include <vector>

#include "base/checksum.hpp"
#include "record/record_totals.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// `record` without its keys. `decorator`: of lines that are decorated, else null. The result lies in `record`, or in
/// `scratch` until that is used again.
inline Record as_read(const LineDecorator* decorator, Record record, std::vector<std::byte>& scratch) {
  if (decorator == nullptr) return record;
  if (!decorator->line_format().text.csv) return decorator->undecorate(record);
  scratch.assign(record.begin(), record.end());
  return decorator->restore(scratch);
}

/// Totals of one line or record of fixed length, which was read as `record`.
inline RecordTotals totals_of_one(Record record, bool checksum) {
  return {1, record.size(), checksum ? hash_record(record) : Checksum()};
}

}  // namespace sortie
