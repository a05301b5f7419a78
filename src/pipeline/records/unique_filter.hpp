// Drops all but the first of records with equal keys from parts that come in order: records whose
// predecessor has the same key. Used by the output stage and on the way into runs.
//
//   part   | range 0      | range 1      | range 2      |     filtered in parallel, each in its place,
//          | kept 0  |    | kept 1 |     | kept 2    |  |     with the record before it at hand;
//          | kept 0  | kept 1 | kept 2    |                  then the gaps are closed
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pipeline/records/key_equality.hpp"
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
  struct Range {
    std::span<std::byte> bytes;
    std::vector<std::byte> before;  // the original record before the range; empty if there is none
    std::size_t kept_bytes = 0;
    RecordTotals dropped;
  };

  std::vector<Range> cut(std::span<std::byte> part) const;
  void filter(Range& range) const;
  void filter_records(Range& range) const;
  RecordTotals totals_of_dropped(std::span<std::byte> record) const;
  void filter_numbers(Range& range) const;

  const Format& format_;
  const RecordOrder& order_;
  bool checksum_;
  const LineDecorator* decorator_;
  KeyEquality equal_keys_;
  bool numbers_;
  std::vector<std::byte> last_;  // last record of the part before
  RecordTotals dropped_;
};

}  // namespace sortie
