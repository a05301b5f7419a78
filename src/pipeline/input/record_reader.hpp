// The records of all inputs, copied piece by piece, counted and checksummed on the way. The first pieces may have been
// read ahead. Where the only input is a file that lies in memory anyway, a WholeInput or MappedLines can take its
// place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "observe/observer.hpp"
#include "pipeline/input/input_mark.hpp"
#include "pipeline/input/input_sequence.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/input/read_ahead.hpp"
#include "pipeline/input/refused_line.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class RecordReader final : public PieceSource {
 public:
  /// Begins at `begin`, behind records that an earlier attempt has read, as if they had been handed out. Throws Error
  /// if an input ends sooner. Precondition: nothing of `inputs` has been read.
  RecordReader(InputSequence inputs, const Format& format, bool checksum, Observer& observer,
               const InputMark& begin = {});

  /// For those who map the only input in place of reading it.
  InputSequence& inputs() { return inputs_; }

  /// Length of the first input's header.
  std::uint64_t header_bytes() const { return inputs_.header_bytes(); }
  std::uint64_t header_records() const { return inputs_.header_records(); }

  /// Bytes in all inputs if all are plain files. Otherwise bytes of all records, known only when all have been read.
  std::optional<std::uint64_t> total_bytes() const;

  /// Completes a last line that lacks its delimiter. Throws Error for a stray tail, with its offset.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;

  /// Reads a piece of at most `piece_bytes` into memory of its own, from which read() takes it later. Returns false if
  /// no record is left or if the next one is longer. Throws as read() does.
  bool read_ahead(std::size_t piece_bytes);

  /// Memory that holds what was read ahead and not taken yet.
  std::uint64_t ahead_memory_bytes() const { return ahead_.memory_bytes(); }

  /// A sample of the records that are left, from their beginning. Consumes nothing. Empty if a sample would need
  /// further reading.
  std::vector<std::byte> sample(std::size_t most_bytes) const;

  bool at_end() const override;
  bool may_wait() const override { return inputs_.gives_what_is_there() && !total_bytes(); }

  /// Where the line behind `before` is, the first lines of the last piece. Precondition: inputs().ends_pieces().
  LinePlace place_behind(std::span<const std::byte> before) const;

  /// Where in the inputs the last piece begins. Preconditions: inputs().ends_pieces(), it has records.
  InputMark begin_of_last_piece() const;

  /// Totals of all pieces so far.
  const RecordTotals& totals() const { return totals_; }

  /// Totals of whole records, counted as read() counts them.
  RecordTotals totals_of_records(std::span<const std::byte> records) const;

  /// The place in the inputs behind all pieces so far, without their last records, whose totals are `kept_back`.
  InputMark mark(const RecordTotals& kept_back = {}) const { return inputs_.mark(totals_ - kept_back); }

  std::string position() const override;

  /// Memory of what was read but not handed out, without what was read ahead.
  std::uint64_t held_bytes() const { return carry_.capacity(); }

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
};

}  // namespace sortie
