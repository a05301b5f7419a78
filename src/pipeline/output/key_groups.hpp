// Shows one of the sorted records for each group of equal keys, with its count if wanted: for --count and --keep=last,
// where the filter that drops duplicates in place is not enough. The order is checked on the way. Used by the output
// stage.
//
//   part   | a a a b c c | c c c c c c | c d d e e e |   ranges, in parallel
//            a:3 b:1 c:2..  ..c:6..     ..c:1 d:2 e:3..  put together, the open group at the end waits for the next
//            part
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pipeline/records/key_equality.hpp"
#include "pipeline/records/piece_seam.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class KeyGroups {
 public:
  struct Options {
    bool show_count = false;  ///< show the count in front of each record, as `uniq -c` does
    bool show_last = false;   ///< show the last of the records with equal keys, else the first
    bool verify = true;       ///< check order and take checksums
    std::uint64_t most_groups = ~std::uint64_t{0};
  };
  /// Takes text to be written, in order. The text is valid during the call only.
  using Consumer = std::function<void(std::span<const std::byte> text)>;

  /// `order`: that of the records. `decorator`: for decorated lines, which are shown undecorated; null otherwise. Both
  /// must outlive this. Records are lines or of fixed length.
  KeyGroups(const RecordOrder& order, const LineDecorator* decorator, const Options& options);

  /// Takes the next records and shows the groups that are complete. Parallel. Throws Error if records are out of order,
  /// unless `checks_order` or `verify` is false.
  void add(std::span<const std::byte> part, const Consumer& show, bool checks_order = true);

  /// Shows the last group. Call once.
  void finish(const Consumer& show) { show_open_group(show); }

  /// Whether as many groups have been shown as may be.
  bool is_full() const { return groups_left_ == 0; }

  /// Totals of the records shown, without counts.
  const RecordTotals& kept() const { return kept_; }
  /// Totals of the records not shown.
  RecordTotals dropped() const { return all_ - kept_; }

 private:
  struct Group {
    Record shown;         // still decorated, if lines are
    RecordTotals totals;  // those of the shown record, as it was read
    std::uint64_t count = 0;
  };
  struct Range {
    std::span<const std::byte> bytes;
    // Whether the first record belongs to the group of the record before it.
    bool begins_within_group = false;
    bool in_order = true;
    Group first;                  // the rest of the group in which the range begins
    std::vector<std::byte> text;  // the groups between `first` and `last`, as shown
    RecordTotals kept;            // totals of the records in the text
    Group last;                   // may go on in the next range
    RecordTotals all;
  };
  class RangeTask;

  void cut(std::span<const std::byte> part);
  void group_range(Range& range, std::uint64_t most_groups) const;
  void add_range(Range& range, const Consumer& show);
  void show_open_group(const Consumer& show);
  void extend_open_group(const Group& group);

  const RecordOrder& order_;
  const LineDecorator* decorator_;
  KeyEquality equal_keys_;
  Options options_;
  PieceSeam seam_;
  std::vector<Range> ranges_;  // ranges of the current part; they keep their memory
  std::size_t range_count_ = 0;
  Group open_;
  std::vector<std::byte> open_shown_;  // the record that it shows
  std::uint64_t groups_left_;          // how many more may be shown
  RecordTotals kept_;
  RecordTotals all_;
};

}  // namespace sortie
