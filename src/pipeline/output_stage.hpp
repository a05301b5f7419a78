// The last stop of every record: duplicates are dropped if asked for, the order is checked, count and
// checksum are taken, the bytes are written.
//
//   part ── drop duplicates ──┬── check output (all threads) ──┬── next part
//                             └── write (thread of its own) ───┘
//
// A part that turns out to be wrong may be in the output by then: the output is never finished.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "io/output.hpp"
#include "observe/observer.hpp"
#include "pipeline/part_check.hpp"
#include "pipeline/part_writer.hpp"
#include "pipeline/unique_filter.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class OutputStage {
 public:
  struct Options {
    bool unique = false;
    bool verify = true;
  };

  OutputStage(const Format& format, const RecordOrder& order, Output& output, Options options, Observer& observer);

  /// Takes consecutive parts of the output, whole records. Throws Error if they are out of order.
  void accept(std::span<std::byte> part);

  /// Of what was written.
  const RecordTotals& written() const { return written_; }
  /// Of duplicates that were dropped here.
  RecordTotals dropped() const { return filter_.dropped(); }

 private:
  void write_while_checking(std::span<const std::byte> part);
  RecordTotals check(std::span<const std::byte> part);

  const Format& format_;
  Output& output_;
  Options options_;
  Observer& observer_;
  UniqueFilter filter_;
  PartCheck part_check_;
  std::optional<PartWriter> writer_;  // made for the first part that is worth it
  RecordTotals written_;
};

/// Throws Error unless what went in is what came out plus what was dropped as duplicate.
void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped);

}  // namespace sortie
