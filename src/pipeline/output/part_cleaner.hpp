// Turns sorted parts of decorated lines back into lines, each part in its own memory and in one pass over it: the
// order is checked, duplicates are dropped, lines are counted and checksummed, keys are cut off. Used by the output
// stage.
//
//   part   | key line key line | key line key line | key line key line |   ranges, in parallel, each in its place;
//          | line line |       | line line |       | line line |       |   then the gaps are closed
//          | line line | line line | line line |
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pipeline/records/key_equality.hpp"
#include "pipeline/records/piece_seam.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

class PartCleaner {
 public:
  struct Options {
    bool unique = false;  ///< keep only the first of lines with equal keys
    bool verify = true;   ///< check order and take checksums
  };

  /// `order`: that of decorated lines. Both must outlive this.
  PartCleaner(const LineDecorator& decorator, const RecordOrder& order, Options options);

  /// Moves the lines of the next part to its beginning and returns them. Parallel. Throws Error if they are out of
  /// order, unless `checks_order` or `verify` is false.
  std::span<std::byte> clean(std::span<std::byte> part, bool checks_order = true);

  /// Totals of the lines kept so far, without their keys.
  const RecordTotals& kept() const { return kept_; }
  /// Totals of the lines dropped so far.
  const RecordTotals& dropped() const { return dropped_; }

 private:
  struct Range {
    std::span<std::byte> bytes;
    bool begins_with_duplicate = false;  // its first line repeats the last key of the range before
    bool in_order = true;
    RecordTotals kept;
    RecordTotals dropped;
  };
  class RangeTask;

  std::vector<Range> cut(std::span<std::byte> part);
  void clean_range(Range& range) const;

  const LineDecorator& decorator_;
  const RecordOrder& order_;
  KeyEquality equal_keys_;
  Options options_;
  PieceSeam seam_;
  RecordTotals kept_;
  RecordTotals dropped_;
};

}  // namespace sortie
