// The last stop of every record: writes the header, and hands parts to the finisher that the options ask for.
//
//   part ──▶ ties of collated lines settled ──▶ plain | strip | fetch | group ──▶ output
//
// A part that turns out to be wrong may already be in the output. The output is then never finished.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/engine.hpp"
#include "pipeline/output/finisher.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {

/// What a job's options say of its output: which records it shows, and how.
OutputOptions output_options(const SortSpec& spec);

class OutputStage {
 public:
  /// `codec`: of the records in the parts. All references must outlive this.
  OutputStage(const RecordCodec& codec, Output& output, OutputOptions options, Observer& observer);

  /// Announces records that are out of order, as unsorted inputs of a merge are. From now on the order is not checked,
  /// and only totals are compared. Thread-safe.
  void expect_disorder() noexcept { context_.checks_order = false; }

  /// Takes consecutive parts of the output, whole records. Throws Error if they are out of order.
  void accept(std::span<std::byte> part);

  /// What checks records of a coming part and leaves the writing to their turn; see PartConsumer. Null if that is of no
  /// use. Merges have it: what is written early is mapped, and would be memory of this process beside that of a window.
  PartConsumer::Look own_check() {
    if (!finisher_->looks()) return nullptr;
    return [this](std::span<const std::byte> records, std::uint64_t) { finisher_->look(records, Finisher::kInTurn); };
  }
  /// The same, but it may write them already.
  PartConsumer::Look own_look() {
    if (!finisher_->looks()) return nullptr;
    return [this](std::span<const std::byte> records, std::uint64_t position) {
      finisher_->look(records, context_.options.header.size() + position);
    };
  }

  /// Where records of the coming parts may be made; see PartConsumer. Null if these are written in another form.
  PartConsumer::Room own_room() {
    if (!finisher_->looks()) return nullptr;
    return [this](std::uint64_t position, std::uint64_t bytes, bool waits) {
      return context_.output.early_room(context_.options.header.size() + position, bytes, waits);
    };
  }

  /// Whether as many records have been written as may be. Later ones are dropped.
  bool is_full() const { return context_.tally.is_full; }

  /// Writes what still waits, and the header even if there was no part. Call once.
  void finish();

  /// Whether anything has been written, even if only the header.
  bool has_written() const { return has_header_ || written().records > 0; }

  /// Totals of the records written, without counts, keys and positions.
  const RecordTotals& written() const { return context_.tally.written; }
  /// Totals of the duplicates dropped here and of the records cut off.
  const RecordTotals& dropped() const { return context_.tally.dropped; }
  /// Number and bytes of the records of all groups that have come, without checksum.
  const RecordTotals& grouped() const { return context_.tally.grouped; }

 private:
  void write_header();

  OutputContext context_;
  std::unique_ptr<Finisher> finisher_;
  bool has_header_ = false;  // the header has been written
};

/// Throws Error unless what went in is what came out plus what was dropped.
void compare_totals(const RecordTotals& input, const RecordTotals& output, const RecordTotals& dropped);

}  // namespace sortie
