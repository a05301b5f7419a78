// Turns sorted parts of references (decorated lines that refer to lines) into the lines: checks the order, drops
// duplicates, orders lines with equal keys by their bytes if that decides, fetches lines from where they lie, counts
// and checksums them. Used by the output stage.
//
//   part     | key reference  key reference  key reference | ...      ranges, in parallel: checked, made into entries
//   batch    | line line line line | line line |                      fetched in parallel, side by side
//
// Lines with equal keys at the end of a part wait for the next one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "pipeline/output/fetch_piece.hpp"
#include "pipeline/output/reference_range.hpp"
#include "pipeline/records/piece_seam.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

class LineFetcher {
 public:
  /// Takes lines in order. They stay unchanged until the call after the next one.
  using Consumer = std::function<void(std::span<const std::byte> lines)>;

  /// `decorator` must refer to lines. `order`: that of decorated lines. Both must outlive this.
  LineFetcher(const LineDecorator& decorator, const RecordOrder& order, bool unique, bool verify);

  /// Fetches the lines of the next part. Parallel. Throws Error if it is out of order.
  void fetch(std::span<const std::byte> part, const Consumer& consumer);

  /// Fetches the lines that still wait. Call once.
  void finish(const Consumer& consumer);

  /// Totals of the lines passed on so far.
  const RecordTotals& kept() const { return kept_; }
  /// Totals of the lines dropped so far.
  const RecordTotals& dropped() const { return dropped_; }

 private:
  void fetch_slice(std::span<const std::byte> slice, const Consumer& consumer);
  void cut(std::span<const std::byte> slice);
  void cut_between_groups(std::span<const std::byte> records);
  void add_range(std::span<const std::byte> references, bool is_open);
  void read_ranges();
  Record first_record(std::span<const std::byte> records) const;
  std::size_t end_of_group(std::span<const std::byte> records, Record member) const;
  std::size_t begin_of_last_group(std::span<const std::byte> records) const;
  void order_waiting();
  void pass_on(const Consumer& consumer);
  std::span<const std::byte> fetch_batch(std::span<const FetchPiece> pieces);

  const RecordOrder& order_;
  bool verify_;
  ReferenceRangeReader reader_;
  PieceSeam seam_;
  std::vector<ReferenceRange> ranges_;  // ranges of the current slice; never shrinks, so that memory is reused
  std::size_t range_count_ = 0;
  std::vector<FetchPiece> pieces_;  // pieces to be passed on
  std::vector<Entry> waiting_;      // the group with which the last slice ended
  std::array<MemoryRegion, 2> batches_;
  std::size_t next_batch_ = 0;
  RecordTotals kept_;
  RecordTotals dropped_;
};

}  // namespace sortie
