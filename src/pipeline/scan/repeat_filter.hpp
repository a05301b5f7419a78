// What becomes of records with equal keys on the way into a run, where nothing need be kept of them but what the output
// shows. Records come in order, in parts, of which less is left:
//
//   part   | range 0      | range 1      | range 2      |     filtered in parallel, each in its place;
//          | kept 0  |    | kept 1 |     | kept 2    |  |
//          | kept 0  | kept 1 | kept 2    |                  then the gaps are closed
//
//   unique    all but the first are dropped, also where the first is in the part before
//   groups    states of neighbours with equal keys become one, which stands where that of the first was
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "pipeline/scan/sorted_scan.hpp"
#include "record/record_order.hpp"
#include "record/record_scan.hpp"
#include "record/record_totals.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

enum class Repeats : std::uint8_t { kKept, kDropped, kCombined };

class RepeatFilter {
 public:
  virtual ~RepeatFilter() = default;

  /// Filters `part`, closes the gaps, and returns what is left of it. Parallel.
  std::span<std::byte> apply(std::span<std::byte> part);

  /// What it does, for the timeline.
  const char* work() const { return work_; }

  /// Totals of the records that are gone.
  const RecordTotals& dropped() const { return dropped_; }

 protected:
  struct Filtered {
    std::span<std::byte> kept;  // at the beginning of the range
    RecordTotals dropped;
  };

  /// `codec`: of the records; it must outlive this.
  RepeatFilter(const RecordCodec& codec, const char* work)
      : codec_(codec), work_(work), scan_(codec, {.verify = false, .finds_repeats = true}) {}

  /// Filters a range of `part`. Thread-safe.
  virtual Filtered filter(const SortedRange& range, std::span<std::byte> part) const = 0;

  const SortedScan& scan() const { return scan_; }

  const RecordCodec& codec_;

 private:
  const char* work_;
  SortedScan scan_;
  RecordTotals dropped_;
};

/// Drops all but the first of records with equal keys. Used by the plain finisher, too.
class UniqueFilter final : public RepeatFilter {
 public:
  /// `codec`: of the records, which keep their keys; it must outlive this.
  UniqueFilter(const RecordCodec& codec, bool checksum)
      : RepeatFilter(codec, "drop duplicates"), checksum_(checksum), numbers_(is_number_order(codec.order())) {}

 private:
  Filtered filter(const SortedRange& range, std::span<std::byte> part) const override {
    return numbers_ ? filter_numbers(range, part) : filter_records(range, part);
  }
  Filtered filter_records(const SortedRange& range, std::span<std::byte> part) const;
  Filtered filter_numbers(const SortedRange& range, std::span<std::byte> part) const;

  bool checksum_;
  bool numbers_;
};

/// What filters records on the way into runs; null if all are kept. `codec` must outlive it. `checksum`: of what is
/// dropped.
std::unique_ptr<RepeatFilter> make_repeat_filter(const RecordCodec& codec, Repeats repeats, bool checksum);

}  // namespace sortie
