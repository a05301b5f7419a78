// Decorated lines of an input that is nearly in order: each thread puts its range in order while it is in that core's
// cache, and where two ranges meet, the lines that are between the wrong ones are merged. If no ranges
// overlap too far, lines come out in order all the way, and can go on to the output (runs/ordered_pass.hpp). Otherwise
// later batches are left as they come.
//
//   ranges   | body         : > |  | < :      body      : > |  | < : body        |
//   taken    | body         | seam     |      body      | seam     | body        |
//
// The last range waits for the next batch. Used by KeyedReader for mapped lines whose sample is in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entries/entry.hpp"
#include "pipeline/input/line_batch.hpp"
#include "record/record_order.hpp"

namespace sortie {

class OrderedBatch final : public LineBatch {
 public:
  /// `codec` must outlive this.
  OrderedBatch(const RecordCodec& codec, bool checksum) : LineBatch(codec, checksum), order_(codec.sorted_format()) {}

  bool empty() const override { return next_ == stretches_.size(); }
  bool are_in_order() const override { return sorts_ranges_; }
  std::uint64_t waiting_line_bytes() const override;
  RecordTotals decorate(std::span<const std::byte> lines, std::uint64_t first_place, bool is_last) override;
  Size take(std::span<std::byte> target, std::uint64_t max_records) override;

 private:
  struct Range {
    DecoratedLines decorated;
    std::vector<Entry> lines;
    std::size_t begin = 0;  // of the body
    std::size_t end = 0;
    Size body;

    std::span<const Entry> waiting() const { return std::span(lines).subspan(begin, end - begin); }
  };
  /// Lines that are in order, taken from the front.
  struct Stretch {
    std::span<const std::byte> bytes;  // that the entries refer to
    std::span<const Entry> lines;
    Size size;
  };

  RecordTotals decorate_range(Range& range, std::span<const std::byte> lines, std::uint64_t first_place) const;
  std::vector<std::size_t> join_ranges(std::span<Range> ranges, bool is_last);
  bool join(Range& range, Range& next, bool is_final);
  void move_to_seam(Range& from, Record line);
  void list_stretches(std::span<const std::size_t> seam_ends, std::size_t count);
  Size size_of(std::span<const std::byte> bytes, std::span<const Entry> lines) const;
  Size fitting(const Stretch& stretch, std::size_t room, std::uint64_t max_records) const;

  RecordOrder order_;
  bool sorts_ranges_ = true;   // until ranges overlap too far
  std::vector<Range> ranges_;  // never shrinks, so that memory is reused
  std::size_t held_ = 0;       // ranges at the front that wait: 0 or 1
  DecoratedLines seam_bytes_;
  std::vector<Entry> seam_lines_;
  std::vector<Stretch> stretches_;
  std::size_t next_ = 0;  // the first stretch with waiting lines
};

}  // namespace sortie
