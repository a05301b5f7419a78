// What is made of sorted records before they are written. A finisher takes them part by part, checks their order, takes
// their totals, and writes what the output shows of them. The output stage holds one.
//
//   plain   records as they are, the first of equal keys only if wanted
//   strip   encoded lines, without their keys
//   fetch   the lines that encoded lines refer to
//   group   one record of each group of equal keys, or of some of them, with its count or in its form if wanted; or all
//           records in the form in which another sort or a join takes them, with their keys or positions
//   aggregate   a new record for each group of equal keys
//
// They share one loop (range_finisher.hpp). In front of another one, the output stage has a finisher that settles ties
// of collated lines, so that bytes order them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <sortie/error.hpp>
#include <sortie/format.hpp>
#include <sortie/options.hpp>

#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "observe/observer.hpp"
#include "pipeline/output/dropped_report.hpp"
#include "pipeline/output/input_sets.hpp"
#include "pipeline/scan/best_of_equal.hpp"
#include "record/aggregate/group_text.hpp"
#include "record/record_form.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

struct OutputOptions {
  bool unique = false;
  bool verify = true;
  bool keep_last = false;                  ///< keep the last of records with equal keys
  const BestOfEqual* best = nullptr;       ///< tells which of them is kept; null: the first or the last
  DroppedReport* dropped = nullptr;        ///< is told which ones are dropped for which; null if nobody asks
  bool show_count = false;                 ///< show how many records have equal keys, as `uniq -c` does
  KeyFilter key_filter = KeyFilter::kAll;  ///< of which groups of equal keys a record is shown
  std::optional<InputSets> sets = {};      ///< of which inputs' keys a record is shown
  const GroupText* group_text = nullptr;   ///< shows groups in place of records; null if these are shown
  std::uint64_t most_records = 0;          ///< most records to be written; 0: any number
  std::span<const std::byte> header = {};  ///< written in front of all parts; must outlive the output stage
  bool ties_in_order = false;              ///< collated lines come in order, only ranks are open
  ScratchSpace* scratch = nullptr;         ///< for ties that are not in order; must outlive the output stage
  std::uint64_t tie_bytes = 0;             ///< memory for a tie
  std::uint64_t part_bytes = 0;            ///< size of a part in which records are written
  RecordForm form = RecordForm::kPlain;    ///< see record_shape.hpp; needs encoded lines if it is not plain

  /// True if every record is written, in a different form.
  bool forms_all() const { return form != RecordForm::kPlain && !unique; }
  /// Whether more than the record in front must be known of each group of equal keys, or more is shown than records.
  bool needs_groups() const {
    return show_count || keep_last || best != nullptr || dropped != nullptr || key_filter != KeyFilter::kAll || sets ||
           form != RecordForm::kPlain;
  }
  /// Upper bound on records to write; the largest integer if there is none.
  std::uint64_t record_limit() const {
    return most_records != 0 ? most_records : std::numeric_limits<std::uint64_t>::max();
  }
};

/// Throws the Error for an output that the sort itself finds wrong.
[[noreturn]] inline void throw_output_fault(const std::string& finding) {
  throw Error("internal check failed: " + finding +
              "; the output was discarded: the memory or a device of this machine may be faulty, please report it");
}

struct OutputTally {
  RecordTotals written;  ///< totals of the records written, as they were read: without counts, keys and positions
  RecordTotals dropped;  ///< totals of the duplicates dropped and of the records cut off
  RecordTotals grouped;  ///< number and bytes of the records that groups are made of
  bool is_full = false;  ///< as many records have been written as may be
};

/// What finishers work with.
struct OutputContext {
  const RecordCodec& codec;  ///< of the records in the parts
  OutputOptions options;
  Output& output;
  Observer& observer;
  std::atomic<bool> checks_order{true};  ///< false once records are known to be out of order
  OutputTally tally = {};                ///< kept by the finisher

  /// Throws Error if records are not in order, although they should be.
  void expect_order(bool in_order) const {
    if (!in_order && checks_order) throw_output_fault("the sorted records are not in order");
  }
};

class Finisher {
 public:
  virtual ~Finisher() = default;

  /// Takes consecutive parts, whole records, and may change them. They are the caller's again afterwards. Throws Error
  /// if they are out of order.
  virtual void accept(std::span<std::byte> part) = 0;
  /// Whether look() is of use.
  virtual bool looks() const { return false; }
  /// Position of records that are written in their turn.
  static constexpr std::uint64_t kInTurn = ~std::uint64_t{0};
  /// Looks at records of a coming part, which begin at `position` of the output, or at kInTurn; see PartConsumer.
  /// Thread-safe.
  virtual void look([[maybe_unused]] std::span<const std::byte> records, [[maybe_unused]] std::uint64_t position) {}
  /// Writes what still waits. Call once.
  virtual void finish() = 0;
};

/// `context` must outlive the finisher.
std::unique_ptr<Finisher> make_plain_finisher(OutputContext& context);
/// The lines must be encoded, and refer to lines for make_fetch_finisher() alone.
std::unique_ptr<Finisher> make_strip_finisher(OutputContext& context);
std::unique_ptr<Finisher> make_fetch_finisher(OutputContext& context);
std::unique_ptr<Finisher> make_group_finisher(OutputContext& context);
/// The lines must be grouped.
std::unique_ptr<Finisher> make_aggregate_finisher(OutputContext& context);

}  // namespace sortie
