// The totals of a piece of input that arrives in slices, each counted by the thread that read it while it is in
// that core's cache: memory is walked over once, not twice. Used by RecordReader and
// WholeInput.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "record/layout.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class SliceTotals {
 public:
  SliceTotals(const Format& format, bool checksum) : format_(format), layout_(layout_of(format)), checksum_(checksum) {}

  /// Starts a new piece, whose first record begins at `begin`.
  void start(const std::byte* begin);

  /// Counts the records that lie wholly in `slice`, a part of the piece; those of CSV are left to finish().
  /// Thread-safe; slices must not overlap.
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
