// Turns sorted parts of decorated lines that refer to lines into those: the order is checked, duplicates are dropped,
// lines with equal keys are put into the order of their bytes if that decides, lines are fetched from where they lie,
// counted and checksummed. Used by the output stage.
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
  /// Takes lines in order. They stay as they are until the call after the next one.
  using Consumer = std::function<void(std::span<const std::byte> lines)>;

  /// `decorator` refers to lines; `order`: of decorated lines. Both must outlive this.
  LineFetcher(const LineDecorator& decorator, const RecordOrder& order, bool unique, bool verify);

  /// Fetches the lines of the next part. Parallel. Throws Error if it is out of order.
  void fetch(std::span<const std::byte> part, const Consumer& consumer);

  /// Fetches what waits for the next part. Call once.
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
  std::vector<ReferenceRange> ranges_;  // of the slice at hand; as many as there ever were: they keep their memory
  std::size_t range_count_ = 0;
  std::vector<FetchPiece> pieces_;  // to be passed on
  std::vector<Entry> waiting_;      // of the group that the last slice ended with
  std::array<MemoryRegion, 2> batches_;
  std::size_t next_batch_ = 0;
  RecordTotals kept_;
  RecordTotals dropped_;
};

}  // namespace sortie
