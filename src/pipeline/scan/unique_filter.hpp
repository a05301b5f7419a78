// Drops all but the first of records with equal keys from parts that come in order: records whose predecessor has the
// same key. Used by the plain finisher and on the way into runs.
//
//   part   | range 0      | range 1      | range 2      |     filtered in parallel, each in its place;
//          | kept 0  |    | kept 1 |     | kept 2    |  |
//          | kept 0  | kept 1 | kept 2    |                  then the gaps are closed
#pragma once

#include <cstddef>
#include <span>

#include "pipeline/scan/sorted_scan.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class UniqueFilter {
 public:
  /// `decorator`: for decorated lines, which stay decorated; null otherwise. All references must outlive this.
  UniqueFilter(const Format& format, const RecordOrder& order, bool checksum, const LineDecorator* decorator = nullptr);

  /// Drops duplicates from `part`, closes the gaps, and returns what is left of it. Parallel.
  std::span<std::byte> apply(std::span<std::byte> part);

  /// Totals of the records dropped so far, as they were read.
  const RecordTotals& dropped() const { return dropped_; }

 private:
  struct Filtered {
    std::span<std::byte> kept;  // at the beginning of the range
    RecordTotals dropped;
  };

  Filtered filter_records(const SortedRange& range, std::span<std::byte> part) const;
  Filtered filter_numbers(const SortedRange& range, std::span<std::byte> part) const;
  RecordTotals totals_of_dropped(std::span<std::byte> record) const;

  const Format& format_;
  const RecordOrder& order_;
  bool checksum_;
  const LineDecorator* decorator_;
  bool numbers_;
  SortedScan scan_;
  RecordTotals dropped_;
};

}  // namespace sortie
