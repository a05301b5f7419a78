// A range of decorated lines that refer to lines, and what one thread makes of it: the entries of the lines, in output
// order. The line fetcher cuts parts into ranges.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "entries/entry.hpp"
#include "pipeline/output/fetch_piece.hpp"
#include "pipeline/records/key_equality.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

struct ReferenceRange {
  std::span<const std::byte> references;
  bool begins_with_duplicate = false;  ///< its first line repeats the last key of the range before
  bool is_open = false;                ///< all lines have equal keys, and other ranges may hold more of them
  bool in_order = true;
  std::vector<Entry> lines;
  std::vector<FetchPiece> pieces;  ///< hold all lines; none if the range is open
  RecordTotals dropped;
};

/// Reads ranges of references. Used by several threads at a time.
class ReferenceRangeReader {
 public:
  struct Options {
    bool unique = false;  ///< keep only the first of lines with equal keys
    bool verify = true;
  };

  /// `decorator` must refer to lines. `order`: that of decorated lines. Both must outlive this.
  ReferenceRangeReader(const LineDecorator& decorator, const RecordOrder& order, Options options)
      : decorator_(decorator),
        order_(order),
        equal_keys_(order, &decorator),
        options_(options),
        orders_groups_(!options.unique && decorator.line_bytes_decide()),
        records_(order, decorator.referred_lines()) {}

  /// Whether lines with equal keys are ordered otherwise than their references.
  bool orders_groups() const { return orders_groups_; }
  const KeyEquality& equal_keys() const { return equal_keys_; }
  /// The lines that references refer to. They are ordered as decorated lines are.
  const ChunkRecords& records() const { return records_; }

  /// Reads the references of `range` and fills in its other members, whose memory is reused. If groups of lines with
  /// equal keys are to be ordered, each must lie in the range as a whole, unless the range is open.
  void read(ReferenceRange& range) const;

  /// Puts lines with equal keys into the order of their bytes. Parallel if they are many. Returns false if they are not
  /// in order afterwards.
  bool order_group(std::span<Entry> group) const;

 private:
  class Task;

  const LineDecorator& decorator_;
  const RecordOrder& order_;
  KeyEquality equal_keys_;
  Options options_;
  bool orders_groups_;
  ChunkRecords records_;
};

}  // namespace sortie
