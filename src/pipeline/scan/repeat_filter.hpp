// What becomes of records with equal keys on the way into a run, where nothing need be kept of them but what the output
// shows. Records come in order, in parts, of which less is left:
//
//   part   | range 0      | range 1      | range 2      |     filtered in parallel, each in its place;
//          | kept 0  |    | kept 1 |     | kept 2    |  |
//          | kept 0  | kept 1 | kept 2    |                  then the gaps are closed
//
//   unique    all but the first are dropped, also where the first is in the part before
//   groups    states of neighbours with equal keys become one, which stands where that of the first was
//
// Also where groups of neighbouring records begin and end.
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

/// Bytes are cut between groups of neighbouring records, such as ties or lines with equal keys. same(a, b) says whether
/// a record and one behind it belong together. Used where a group is put in order: by TieStage and by the finisher that
/// fetches lines.
///
///   | a  a | b  b  b | c | d  d |
///          ^         ^   ^            cuts may be here
///
/// How many leading bytes of `records`, which must be whole, belong to the group of `member`.
template <class Same>
std::size_t bytes_of_group(const Layout& layout, std::span<const std::byte> records, Record member, const Same& same) {
  return leading_bytes(layout, records, [&](Record record) { return same(member, record); });
}

/// Offset of the group at the end of `records`, which must be whole, at least one.
template <class Same>
std::size_t begin_of_last_group(const Layout& layout, std::span<const std::byte> records, const Same& same) {
  const Record last = last_record(layout, records);
  std::size_t begin = records.size() - last.size();
  while (begin > 0) {
    const Record record = last_record(layout, records.first(begin));
    if (!same(record, last)) break;
    begin -= record.size();
  }
  return begin;
}

/// Calls visit(range) for consecutive ranges of `records`, whole groups of `range_bytes` or more.
template <class Byte, class Same, class Visit>
void for_each_range_of_groups(const Layout& layout, std::span<Byte> records, std::size_t range_bytes, const Same& same,
                              const Visit& visit) {
  while (!records.empty()) {
    std::size_t bytes = boundary_at_or_after(layout, records, std::min(records.size(), range_bytes));
    bytes += bytes_of_group(layout, records.subspan(bytes), last_record(layout, records.first(bytes)), same);
    visit(records.first(bytes));
    records = records.subspan(bytes);
  }
}

}  // namespace sortie
