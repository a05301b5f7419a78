// Drops all but the first of records with equal keys from parts that come in order.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "record/record_order.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class UniqueFilter {
 public:
  UniqueFilter(const Format& format, const RecordOrder& order, bool checksum)
      : format_(format), order_(order), checksum_(checksum) {}

  /// Closes the gaps in `part` and returns what is left of it.
  std::span<std::byte> apply(std::span<std::byte> part);

  /// Of the records dropped so far.
  const RecordTotals& dropped() const { return dropped_; }

 private:
  const Format& format_;
  const RecordOrder& order_;
  bool checksum_;
  std::vector<std::byte> last_;  // kept record of the parts before
  RecordTotals dropped_;
};

}  // namespace sortie
