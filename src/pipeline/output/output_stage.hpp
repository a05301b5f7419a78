// The last stop of every record: duplicates are dropped if asked for, the order is checked, count and
// checksum are taken, the bytes are written.
//
//   part ── drop duplicates ──┬── check output (all threads) ──┬── next part
//                             └── write (thread of its own) ───┘
//
// Decorated lines are written as they were before. Their keys are needed for the check and cut off before the lines
// are written, so a part is worked on slice by slice:
//
//   part   | slice: write       |
//          | ... | slice: drop duplicates, check, cut keys off (all threads) |
//
// Decorated lines that refer to lines are few bytes, and lines are fetched into batches:
//
//   part   | slice: check, drop duplicates, fetch lines (all threads) | ...
//   batch         | write | ...
//
// Where duplicates are counted, or the last of them is kept, they are not dropped in place:
//
//   part   | slice: group by keys, check, cut keys off (all threads) | write |
//
// Lines that are collated come in an order that is not yet settled among lines whose keys begin alike: TieStage sees to
// that before all else. A merge of inputs settles it itself.
//
// A part that turns out to be wrong may be in the output by then: the output is never finished.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "io/output.hpp"
#include "io/scratch.hpp"
#include "observe/observer.hpp"
#include "pipeline/output/key_groups.hpp"
#include "pipeline/output/line_fetcher.hpp"
#include "pipeline/output/part_check.hpp"
#include "pipeline/output/part_cleaner.hpp"
#include "pipeline/output/part_writer.hpp"
#include "pipeline/output/record_limit.hpp"
#include "pipeline/records/unique_filter.hpp"
#include "pipeline/ties/tie_ranks.hpp"
#include "pipeline/ties/tie_stage.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class OutputStage {
 public:
  struct Options {
    bool unique = false;
    bool verify = true;
    bool keep_last = false;                  ///< of records with equal keys
    bool show_count = false;                 ///< of records with equal keys
    std::uint64_t most_records = 0;          ///< to be written; 0: any number
    std::span<const std::byte> header = {};  ///< is written in front of all parts; must outlive the stage
    bool ties_in_order = false;              ///< lines that are collated come in their order, ranks alone are open
    ScratchSpace* scratch = nullptr;         ///< for ties that are not in order; must outlive the stage
    std::uint64_t tie_bytes = 0;             ///< of memory for a tie
  };

  /// `format`, `order`: of the parts. `decorator`: of lines that are decorated, else null. All references must outlive
  /// this.
  OutputStage(const Format& format, const RecordOrder& order, Output& output, Options options, Observer& observer,
              const LineDecorator* decorator = nullptr);

  /// Records will come that are not in order, as inputs of a merge are not: from now on only what goes in and comes out
  /// is compared. Thread-safe.
  void expect_disorder() noexcept { checks_order_ = false; }

  /// Takes consecutive parts of the output, whole records. Throws Error if they are out of order.
  void accept(std::span<std::byte> part);

  /// Whether as many records as may be written are: what comes now is dropped.
  bool is_full() const;

  /// Writes what waits for the next part, and the header even if there was no part. Call once.
  void finish();

  /// Whether anything has been written, be it the header.
  bool has_written() const { return has_header_ || written().records > 0; }

  /// The records that were written, without their counts.
  RecordTotals written() const;
  /// Duplicates that were dropped here, and what was cut off.
  RecordTotals dropped() const;

 private:
  void settle_ties(const LineDecorator& decorator);
  void accept_in_order(std::span<std::byte> part);
  void write_header();
  void accept_decorated(std::span<std::byte> part);
  void accept_references(std::span<const std::byte> part);
  void accept_groups(std::span<const std::byte> part);
  void write(std::span<const std::byte> part);
  void begin_writing(std::span<const std::byte> lines);
  void wait_for_writer();
  void write_while_cleaning(std::span<std::byte> part);
  void write_while_checking(std::span<const std::byte> part);
  std::span<std::byte> clean(std::span<std::byte> part);
  RecordTotals check(std::span<const std::byte> part);
  PartWriter& writer();

  const Format& format_;
  const RecordOrder& order_;
  Output& output_;
  Options options_;
  std::atomic<bool> checks_order_{true};
  Observer& observer_;
  UniqueFilter filter_;
  PartCheck part_check_;
  std::optional<TieStage> ties_;        // of lines that are collated, unless
  std::optional<TieRanks> ranks_;       // they come in order, ranks alone open
  std::optional<PartCleaner> cleaner_;  // of decorated lines
  std::optional<LineFetcher> fetcher_;  // of decorated lines that refer to lines
  std::optional<KeyGroups> groups_;     // in place of all filters
  std::optional<RecordLimit> limit_;
  std::optional<PartWriter> writer_;  // made for the first part that is worth it
  bool is_writing_ = false;           // it is at work
  RecordTotals written_;
  bool has_header_ = false;  // been written
};

/// Throws Error unless what went in is what came out plus what was dropped.
void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped);

}  // namespace sortie
