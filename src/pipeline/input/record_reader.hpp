// Reads the records of all inputs, and counts and hashes them on the way. Engines and merges take them as pieces,
// copied to where they are wanted; KeyedReader takes portions, which lie in the reader's memory. The first pieces may
// have been read ahead. If the only input is a file that lies in memory anyway, portions may be mapped from it, so that
// sorted records can refer to them; or a WholeInput takes the reader's place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory_region.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/input_mark.hpp"
#include "pipeline/input/input_sequence.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/input/refused_line.hpp"
#include "record/record_totals.hpp"

namespace sortie {

/// Totals of several readers, for a merge of inputs.
struct InputTally {
  RecordTotals totals;
  std::uint64_t inputs = 0;  ///< readers with at least one record
};

/// Holds pieces of input that were read before an engine could take them: a GPU takes longer to start than the first
/// gigabytes take to read.
class ReadAhead {
 public:
  ReadAhead(const Format& format, bool checksum) : format_(format), layout_(layout_of(format)), checksum_(checksum) {}

  bool empty() const { return pieces_.empty(); }
  /// Length of the waiting records.
  std::uint64_t bytes() const { return bytes_; }
  /// Memory that they occupy, at least bytes(): a piece's memory extends beyond its last whole record.
  std::uint64_t memory_bytes() const { return memory_bytes_; }
  /// The waiting records of the first piece. Precondition: not empty.
  std::span<const std::byte> first_piece() const {
    return pieces_.front().memory.bytes().subspan(pieces_.front().begin,
                                                  static_cast<std::size_t>(pieces_.front().totals.bytes));
  }
  /// The reader's position when the first piece was read.
  const std::string& position() const { return pieces_.front().position; }

  /// Takes the whole records at the beginning of `memory`; `totals` are theirs.
  void keep(MemoryRegion memory, const RecordTotals& totals, std::string position);

  /// Copies the first records to `target`: as many as fit, at most `max_records`, of the first piece only. Returns
  /// their totals; none if not even one fits. Precondition: not empty.
  RecordTotals take(std::span<std::byte> target, std::uint64_t max_records);

 private:
  struct Piece {
    MemoryRegion memory;
    std::size_t begin = 0;  ///< offset of the first waiting record
    RecordTotals totals;    ///< totals of the waiting records
    std::string position;
  };
  RecordTotals totals_of_fitting(const Piece& piece, std::size_t room, std::uint64_t max_records) const;

  Format format_;
  Layout layout_;
  bool checksum_;
  std::deque<Piece> pieces_;
  std::uint64_t bytes_ = 0;
  std::uint64_t memory_bytes_ = 0;
};

class RecordReader final : public MergeSource {
 public:
  /// Starts at `begin`, behind the records that an earlier attempt has read; they count as handed out. `checksum`: the
  /// reader hashes records; without it a caller may, and hand the sums in by count_keyed(). Throws Error if an input
  /// ends before `begin`. Precondition: nothing of `inputs` has been read.
  RecordReader(InputSequence inputs, const Format& format, bool checksum, Observer& observer,
               const InputMark& begin = {});

  /// Also counts its records in `tally`, which must outlive this.
  void count_in(InputTally& tally) { tally_ = &tally; }

  /// For callers that map the only input instead of reading it.
  InputSequence& inputs() { return inputs_; }

  /// Bytes of all inputs if all are plain files; else bytes of all records, which are known once all have been read.
  std::optional<std::uint64_t> total_bytes() const;

  /// Completes a last line that lacks its delimiter. Throws Error for a stray tail, with its offset.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;

  /// Reads a piece of at most `piece_bytes` into memory of its own, for a later read(). Returns false if no record is
  /// left, or if the next one is longer. Throws as read() does.
  bool read_ahead(std::size_t piece_bytes);

  /// Bytes of memory for what was read ahead and not taken yet.
  std::uint64_t ahead_memory_bytes() const { return ahead_.memory_bytes(); }

  /// The next records, up to `most_bytes`, as a sample. Consumes nothing. Empty if they would have to be read first.
  std::vector<std::byte> sample(std::size_t most_bytes) const;

  bool at_end() const override;
  bool may_wait() const override { return inputs_.gives_what_is_there() && !total_bytes(); }

  /// The position of the line that follows `before`, the first lines of the last piece. Precondition:
  /// inputs().ends_pieces().
  LinePosition position_behind(std::span<const std::byte> before) const;

  /// Where in the inputs the last piece begins. Preconditions: inputs().ends_pieces(), it has records.
  InputMark begin_of_last_piece() const;

  /// Totals of all pieces so far.
  const RecordTotals& totals() const { return totals_; }

  /// Totals of whole records.
  RecordTotals totals_of_records(std::span<const std::byte> records, bool checksum) const;

  /// The position in the inputs behind all records handed out so far, except the last ones, whose totals are
  /// `kept_back`.
  InputMark mark(const RecordTotals& kept_back = {}) const { return inputs_.mark(totals_ - kept_back); }

  std::string position() const override;

  /// Bytes of memory for what was read but not handed out, and for copied portions; without what was read ahead.
  std::uint64_t held_bytes() const override { return carry_.capacity() + (is_in_place() ? 0 : memory_.size()); }
  /// Gives back the memory of the portion that was copied last.
  void give_back() override {
    if (!is_in_place()) memory_ = MemoryRegion();
  }

  // Portions: whole records that stay where they are until the next portion is asked for.

  struct Portion {
    Status status = Status::kEnd;
    std::span<const std::byte> bytes;
    std::optional<std::uint64_t> position = {};  ///< offset of the first record in the only input, if that is mapped
  };
  struct PortionSize {
    std::size_t wanted = 0;  ///< bytes that are asked for
    std::size_t usual = 0;   ///< memory that records are copied to
    std::size_t most = 0;    ///< the same for a longer record; one that is longer yet may be left for later
  };
  /// The next records. Use it in place of read().
  Portion next(const PortionSize& size);
  /// The position in the inputs of a record of the last portion. Precondition: inputs().ends_pieces(), or it lies in
  /// the mapping.
  LinePosition position_of(const std::byte* record) const;

  /// Maps the only input, so that portions are not copied. Returns false if the input cannot be mapped. Preconditions:
  /// inputs().size_of_only(), not CSV. Throws Error if length-prefixed records are damaged.
  bool map_in_place();
  bool is_in_place() const { return mapping_ != nullptr; }
  /// All records of the mapped input.
  std::span<const std::byte> in_place() const { return in_place_; }
  /// A sample of the records of the mapped input, from all over it: records may differ between its ends.
  std::vector<std::byte> sample_in_place() const;
  /// Takes the totals of records of a portion of which keys have been made: of copied portions their checksum, as
  /// they have been counted; of mapped ones all, as their pages may not have been read before.
  void count_keyed(const RecordTotals& totals);
  /// Throws Error if the mapped input is damaged: see InputMapping.
  void check_in_place() const;
  /// Reads the input from its beginning after all, as if it had not been mapped. Precondition: no portion was handed
  /// out.
  void give_up_mapping();

 private:
  struct Read {
    Piece piece;
    RecordTotals totals;
  };
  Read read_records(std::span<std::byte> target, std::uint64_t max_records);
  Read take_ahead(std::span<std::byte> target, std::uint64_t max_records);
  std::size_t fill(std::span<std::byte> target);
  std::size_t known_bytes(std::size_t filled) const;
  std::vector<std::span<const std::byte>> walked_records(std::span<const std::byte> piece) const;
  RecordTotals count_piece(std::span<const std::byte> piece, std::size_t& whole, std::uint64_t max_records);
  void count(const RecordTotals& totals);
  MemoryRegion::Pages pages() const;
  Portion next_in_place(std::size_t wanted);
  std::size_t next_bytes_in_place(std::size_t wanted);
  std::span<const std::byte> walked_at(std::uint64_t offset, std::size_t bytes) const;

  Format format_;
  Layout layout_;
  bool checksum_;
  SliceTotals piece_totals_;
  Observer& observer_;
  InputSequence inputs_;
  ReadAhead ahead_;
  std::vector<std::byte> carry_;  // read but not handed out yet; follows all that was read ahead
  RecordTotals totals_;
  RecordTotals last_;                 // those of the last piece
  std::uint64_t records_before_ = 0;  // of its input, in front of it, as far as this has read them
  std::uint64_t bytes_before_;        // of its input, in front of those: an earlier attempt has read them
  InputTally* tally_ = nullptr;
  MemoryRegion memory_;  // of a portion that was copied, or pages of the mapped input
  std::unique_ptr<InputMapping> mapping_;
  std::span<const std::byte> in_place_;
  std::size_t given_bytes_ = 0;                     // of these
  std::vector<std::span<const std::byte>> walked_;  // the same in ranges, if layout_.walked()
  std::size_t next_walked_ = 0;
};

}  // namespace sortie
