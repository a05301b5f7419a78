// Count, bytes and checksum of records: what goes in must come out. Kept from the reader to the output stage, and
// compared at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include <sortie/format.hpp>

#include "base/checksum.hpp"
#include "record/layout.hpp"

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

/// The totals of a piece of input that arrives in slices, each counted by the thread that read it while it is in
/// that core's cache: memory is walked over once, not twice. Used by RecordReader and WholeInput.
class SliceTotals {
 public:
  SliceTotals(const Format& format, bool checksum) : format_(format), layout_(layout_of(format)), checksum_(checksum) {}

  /// Starts a new piece, whose first record begins at `begin`.
  void start(const std::byte* begin);

  /// Counts the records that lie wholly in `slice`, a part of the piece; those whose begin is not known are left to
  /// finish(). Thread-safe; slices must not overlap.
  void add(std::span<const std::byte> slice);

  /// Totals of the first `bytes` of the piece, which are all its whole records: those that no slice has counted
  /// are counted now, in parallel. Precondition: all add() calls have returned.
  RecordTotals finish(std::size_t bytes);

 private:
  /// The records counted in one slice:
  ///
  ///   piece   | record | record | record | record | record |
  ///   slice        [....begin=================end.....]
  struct Counted {
    std::size_t begin = 0;
    std::size_t end = 0;
    RecordTotals totals;
  };

  Format format_;
  Layout layout_;
  bool checksum_;
  const std::byte* piece_ = nullptr;
  std::mutex mutex_;
  std::vector<Counted> counted_;
};

}  // namespace sortie
