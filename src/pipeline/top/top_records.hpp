// Stands between the inputs and run formation, for --top: passes on only the few records that may be among the first N
// of the sorted output. All threads compare what comes with the last of the N best so far, which rules most records
// out.
//
//   source ──▶ piece ── before the bound? ──▶ candidates ── at the end ──▶ run formation
//                              no: dropped         '- cut down to N from time to time
//
// If N records do not fit its memory, everything is passed on from then on, and the output stage cuts the output off.
// Used by SortJob.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "observe/observer.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "pipeline/top/top_candidates.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class TopRecords final : public PieceSource {
 public:
  struct Options {
    std::uint64_t wanted = 0;  ///< N, at least 1
    TopCounts counts = TopCounts::kRecords;
    bool verify = true;            ///< take checksums of candidates
    std::size_t memory_bytes = 0;  ///< for candidates
  };

  /// `codec`: of the records. All references must outlive this.
  TopRecords(PieceSource& source, const RecordCodec& codec, const Options& options, Observer& observer);

  /// Reads all of the source before it gives the first records.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;
  bool at_end() const override;
  std::string position() const override { return source_.position(); }

  /// Totals of the records that were not passed on, as they were read. `input`: totals of all records that were read.
  /// Records that the bound ruled out are counted one by one; their bytes and checksum are what is missing from the
  /// input.
  RecordTotals dropped(const RecordTotals& input) const;

 private:
  Status select_from_source(std::span<std::byte> target);
  void select(std::span<const std::byte> piece);
  void select_by_bound(std::span<const std::byte> records);
  void take(Record record);
  void cut();
  Piece deliver(std::span<std::byte> target, std::uint64_t max_records);
  Piece hand_out(std::span<std::byte> target, std::uint64_t max_records);
  RecordTotals totals_of_candidate(Record record);
  RecordTotals totals_of_originals(std::span<const std::byte> records) const;

  PieceSource& source_;
  const RecordCodec& codec_;
  const RecordOrder& order_;
  Options options_;
  Observer& observer_;
  std::optional<TopCandidates> candidates_;  // null when all are handed out
  bool selecting_ = true;
  bool keeps_few_ = false;
  std::size_t handed_out_ = 0;
  std::uint64_t left_records_ = 0;  // ruled out by the bound
  RecordTotals taken_;              // candidates, and records that were passed on
  RecordTotals cut_off_;            // candidates that were cut off
  std::vector<std::byte> scratch_;  // for one record
};

/// A source of those records of `source` that may be wanted; null if all are. References must outlive the result.
std::unique_ptr<TopRecords> select_top_records(PieceSource& source, const SortSpec& spec, std::uint64_t memory_bytes,
                                               Observer& observer);

}  // namespace sortie
