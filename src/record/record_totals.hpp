// Count, bytes and checksum of records: what goes in must come out.
#pragma once

#include <cstdint>
#include <span>

#include <sortie/format.hpp>

#include "base/checksum.hpp"

namespace sortie {

struct RecordTotals {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  Checksum checksum;

  friend bool operator==(const RecordTotals&, const RecordTotals&) = default;
};

// Inline: some sums are taken record by record.
inline RecordTotals& operator+=(RecordTotals& sum, const RecordTotals& term) {
  sum.records += term.records;
  sum.bytes += term.bytes;
  sum.checksum += term.checksum;
  return sum;
}

inline RecordTotals operator+(RecordTotals left, const RecordTotals& right) { return left += right; }

inline RecordTotals operator-(const RecordTotals& left, const RecordTotals& right) {
  return {left.records - right.records, left.bytes - right.bytes, left.checksum - right.checksum};
}

/// Totals of whole records, in parallel. Without `checksum`, the checksum stays zero and the rest is cheaper.
RecordTotals totals_of(const Format& format, std::span<const std::byte> bytes, bool checksum);

/// The same for ranges of whole records.
RecordTotals totals_of_ranges(const Format& format, std::span<const std::span<const std::byte>> ranges, bool checksum);

/// The same on the calling thread.
RecordTotals range_totals(const Format& format, std::span<const std::byte> bytes, bool checksum);

}  // namespace sortie
