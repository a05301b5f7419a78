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
    bool show_count = false;  ///< in front of each record, as `uniq -c` does
    bool show_last = false;   ///< of the records with equal keys; else the first
    bool verify = true;       ///< check order and take checksums
    std::uint64_t most_groups = ~std::uint64_t{0};
  };
  /// Takes what is to be written, in order; valid during the call only.
  using Consumer = std::function<void(std::span<const std::byte> text)>;

  /// `order`: of the records; `decorator`: of lines that are decorated and are shown as they were, else null. Both must
  /// outlive this. Records are lines or of fixed length.
  KeyGroups(const RecordOrder& order, const LineDecorator* decorator, const Options& options);

  /// Shows the groups that are complete. Parallel. Throws Error if the records are out of order, if `checks_order`.
  void add(std::span<const std::byte> part, const Consumer& show, bool checks_order = true);

  /// Shows the last group. Call once.
  void finish(const Consumer& show) { show_open_group(show); }

  /// Whether all groups that may be shown are.
  bool is_full() const { return groups_left_ == 0; }

  /// Totals of the records shown, without counts.
  const RecordTotals& kept() const { return kept_; }
  /// Totals of the records not shown.
  RecordTotals dropped() const { return all_ - kept_; }

 private:
  struct Group {
    Record shown;         // as it came
    RecordTotals totals;  // of it, as it was read
    std::uint64_t count = 0;
  };
  struct Range {
    std::span<const std::byte> bytes;
    bool begins_within_group = false;  // whose last record so far is in the range before
    bool in_order = true;
    Group first;                  // the rest of that group
    std::vector<std::byte> text;  // of the groups between
    RecordTotals kept;            // in the text
    Group last;                   // goes on in the next range, perhaps
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
  std::vector<Range> ranges_;  // of the part at hand; keep their memory
  std::size_t range_count_ = 0;
  Group open_;
  std::vector<std::byte> open_shown_;  // its record
  std::uint64_t groups_left_;          // that may be shown
  RecordTotals kept_;
  RecordTotals all_;
};

}  // namespace sortie
