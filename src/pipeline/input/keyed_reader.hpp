// Gives records their keys: takes them from a record reader, encodes them with all threads, and hands them out as a
// record reader does. Used for run formation, --merge and --check where the codec makes keys.
//
//   records ──▶ | lines               | ──▶ | batch, encoded in ranges | ──▶ piece
//               '- done -''- rest --'
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "observe/observer.hpp"
#include "pipeline/input/input_positions.hpp"
#include "pipeline/input/line_batch.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/input/record_reader.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

class KeyedReader final : public MergeSource {
 public:
  /// The positions that lines get. Lines of the mapped input always get their offsets.
  struct Positions {
    std::uint64_t first = 0;                      ///< of the first line; with `by_input`, of the first input
    std::optional<InputPositions> by_input = {};  ///< positions that show the input; pieces must end with inputs
    bool are_numbers = false;                     ///< with `by_input`: they count records, not bytes
  };

  /// All references must outlive this. `records` are shared, because encoded lines may refer to its lines until they
  /// are written. `checksum`: records are hashed while they get their keys, not while they are read.
  KeyedReader(std::shared_ptr<RecordReader> records, const RecordCodec& codec, const EncodingBudget& budget,
              Observer& observer, const Positions& positions, bool checksum, Batches batches = Batches::kAsTheyCome);

  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;
  /// Whether all lines handed out so far were in order.
  bool are_in_order() const { return batch_->are_in_order(); }
  RecordTotals kept_back() const override;
  /// Precondition: lines are handed out in the order of the input. Parallel.
  Assumptions::Counted assumed() const override;
  bool at_end() const override { return batch_->empty() && rest_.empty() && records_->at_end(); }
  bool may_wait() const override { return records_->may_wait(); }
  std::string position() const override;

  /// Memory for lines, before and after they are encoded.
  std::uint64_t held_bytes() const override { return records_->held_bytes() + batch_->held_bytes(); }
  /// Gives that memory back, unless lines wait in it.
  void give_back() override;

 private:
  Status fill_batch(std::size_t piece_bytes);
  void report_findings(std::uint64_t records);
  std::size_t batch_bytes() const;
  RecordReader::PortionSize portion_size(std::size_t piece_bytes) const;

  std::shared_ptr<RecordReader> records_;
  const RecordCodec& codec_;
  Layout layout_;
  EncodingBudget budget_;
  Observer& observer_;
  std::optional<InputPositions> positions_;
  bool counts_records_;
  std::uint64_t last_input_ = 0;        // of which records are counted
  std::uint64_t records_of_input_ = 0;  // that have been encoded
  bool checksum_;
  Batches batches_;
  std::span<const std::byte> rest_;  // lines that are not encoded yet
  std::uint64_t first_position_;
  std::uint64_t rest_position_;  // position of the first of them
  std::string lines_position_;
  std::unique_ptr<LineBatch> batch_;
};

/// A source of records in the form in which they are sorted: `records`, or a KeyedReader of them.
std::shared_ptr<MergeSource> sortable(std::shared_ptr<RecordReader> records, const RecordCodec& codec,
                                      const EncodingBudget& budget, Observer& observer,
                                      const KeyedReader::Positions& positions, bool checksum,
                                      Batches batches = Batches::kAsTheyCome);

}  // namespace sortie
