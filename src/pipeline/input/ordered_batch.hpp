// Encoded lines of an input that is nearly in order: each thread puts its range in order while it is in that core's
// cache, and where two ranges meet, the lines that are between the wrong ones are merged. If no ranges
// overlap too far, lines come out in order all the way, and can go on to the output (runs/ordered_delivery.hpp).
// Otherwise later batches are left as they come.
//
//   ranges   | body         : > |  | < :      body      : > |  | < : body        |
//   taken    | body         | seam     |      body      | seam     | body        |
//
// The last range waits for the next batch. Used by KeyedReader for mapped lines whose sample is in order.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "entries/entry.hpp"
#include "pipeline/input/line_batch.hpp"
#include "record/record_order.hpp"

namespace sortie {

class OrderedBatch final : public LineBatch {
 public:
  /// `codec` must outlive this.
  OrderedBatch(const RecordCodec& codec, bool checksum)
      : LineBatch(codec, checksum, Batches::kInOrder), order_(codec.order()) {}

  bool are_in_order() const override { return sorts_ranges_; }

 private:
  void order_range(Range& range) const override;
  std::vector<Stretch> arrange(std::size_t count, bool is_last) override;
  std::vector<std::size_t> join_ranges(std::span<Range> ranges, bool is_last);
  bool join(Range& range, Range& next, bool is_final);
  void move_to_seam(Range& from, Record line);

  const RecordOrder& order_;
  bool sorts_ranges_ = true;  // until ranges overlap too far
  EncodedLines seam_bytes_;
  std::vector<Entry> seam_lines_;
};

}  // namespace sortie
