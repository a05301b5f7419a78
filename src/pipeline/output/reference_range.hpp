// A range of decorated lines that refer to lines, and what one thread makes of it: the entries of the lines in the
// order of the output. The line fetcher cuts parts into ranges.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/cpu/chunk_records.hpp"
#include "pipeline/output/fetch_piece.hpp"
#include "pipeline/records/key_equality.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

struct ReferenceRange {
  std::span<const std::byte> references;
  bool begins_with_duplicate = false;  ///< of the last line of the range before
  bool is_open = false;                ///< lines with equal keys, and there may be more of them elsewhere
  bool in_order = true;
  std::vector<Entry> lines;
  std::vector<FetchPiece> pieces;  ///< of all lines; none if it is open
  RecordTotals dropped;
};

/// Reads ranges of references. Used by several threads at a time.
class ReferenceRangeReader {
 public:
  struct Options {
    bool unique = false;  ///< keep only the first of lines with equal keys
    bool verify = true;
  };

  /// `decorator` refers to lines; `order`: of decorated lines. Both must outlive this.
  ReferenceRangeReader(const LineDecorator& decorator, const RecordOrder& order, Options options)
      : decorator_(decorator),
        order_(order),
        equal_keys_(order, &decorator),
        options_(options),
        orders_groups_(!options.unique && decorator.line_bytes_decide()),
        records_(order, decorator.referred_lines()) {}

  /// Whether lines with equal keys come in another order than their references.
  bool orders_groups() const { return orders_groups_; }
  const KeyEquality& equal_keys() const { return equal_keys_; }
  /// The lines, which are ordered as decorated lines are.
  const ChunkRecords& records() const { return records_; }

  /// `range` says what to read, takes what is made of it, and keeps its memory. Groups of lines with equal keys must
  /// lie in it as a whole if they are to be ordered, unless it is open.
  void read(ReferenceRange& range) const;

  /// Puts lines with equal keys into the order of their bytes. Parallel if they are many. False if that went wrong.
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
