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
// Decorated lines that refer to lines are short. The lines are fetched into batches:
//
//   part   | slice: check, drop duplicates, fetch lines (all threads) | ...
//   batch         | write | ...
//
// If duplicates are counted, or the last of them is kept, they are not dropped in place:
//
//   part   | slice: group by keys, check, cut keys off (all threads) | write |
//
// Collated lines come in an order that is not settled yet among lines whose keys begin alike: TieStage settles it
// before anything else. A merge of inputs settles it itself.
//
// A part that turns out to be wrong may already be in the output. The output is then never finished.
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
    bool keep_last = false;                  ///< keep the last of records with equal keys
    bool show_count = false;                 ///< show how many records have equal keys
    std::uint64_t most_records = 0;          ///< most records to be written; 0: any number
    std::span<const std::byte> header = {};  ///< written in front of all parts; must outlive the stage
    bool ties_in_order = false;              ///< collated lines come in order, only ranks are open
    ScratchSpace* scratch = nullptr;         ///< for ties that are not in order; must outlive the stage
    std::uint64_t tie_bytes = 0;             ///< memory for a tie
  };

  /// `format`, `order`: those of the parts. `decorator`: for decorated lines, null otherwise. All references must
  /// outlive this.
  OutputStage(const Format& format, const RecordOrder& order, Output& output, Options options, Observer& observer,
              const LineDecorator* decorator = nullptr);

  /// Announces records that are out of order, as unsorted inputs of a merge are. From now on the order is not checked,
  /// and only totals are compared. Thread-safe.
  void expect_disorder() noexcept { checks_order_ = false; }

  /// Takes consecutive parts of the output, whole records. Throws Error if they are out of order.
  void accept(std::span<std::byte> part);

  /// Whether as many records have been written as may be. Later ones are dropped.
  bool is_full() const;

  /// Writes what still waits, and the header even if there was no part. Call once.
  void finish();

  /// Whether anything has been written, even if only the header.
  bool has_written() const { return has_header_ || written().records > 0; }

  /// Totals of the records written, without their counts.
  RecordTotals written() const;
  /// Totals of the duplicates dropped here and of the records cut off.
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
  std::optional<TieStage> ties_;        // for collated lines that are not in order yet
  std::optional<TieRanks> ranks_;       // for collated lines in order, with open ranks
  std::optional<PartCleaner> cleaner_;  // for decorated lines
  std::optional<LineFetcher> fetcher_;  // for decorated lines that refer to lines
  std::optional<KeyGroups> groups_;     // replaces all filters
  std::optional<RecordLimit> limit_;
  std::optional<PartWriter> writer_;  // made for the first part that is large enough
  bool is_writing_ = false;           // the writer is at work
  RecordTotals written_;
  bool has_header_ = false;  // the header has been written
};

/// Throws Error unless what went in is what came out plus what was dropped.
void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped);

}  // namespace sortie
