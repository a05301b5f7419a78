// A source of records, in pieces of whole ones: as they are read (RecordReader), with their keys (KeyedReader), or only
// those that may be among the first of the output (TopRecords). Run formation takes any of these, and a merge of inputs
// those of which there may be many (MergeSource).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "observe/assumptions.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class PieceSource {
 public:
  virtual ~PieceSource() = default;

  enum class Status : std::uint8_t {
    kRecords,   ///< the piece holds whole records
    kTooSmall,  ///< the next record does not fit; `bytes` is how much of it is known to be there
    kEnd,       ///< no records are left
  };
  struct Piece {
    Status status = Status::kEnd;
    std::size_t bytes = 0;
    std::uint64_t records = 0;
    std::uint64_t input_bytes = 0;  ///< length of the same records in the input
  };

  /// Fills `target` with whole records, at most `max_records` of them. Throws Error if the input is bad.
  virtual Piece read(std::span<std::byte> target, std::uint64_t max_records) = 0;

  /// Totals of the records that have been read from the inputs but were in no piece yet.
  virtual RecordTotals kept_back() const { return {}; }

  /// What was assumed of the records that were in pieces, where that is counted.
  virtual Assumptions::Counted assumed() const { return {}; }

  /// Whether it is known that no records are left. For a pipe, only reading says.
  virtual bool at_end() const = 0;

  /// Whether read() returns what is there instead of filling the piece, and may have to wait for a process that writes
  /// to a pipe.
  virtual bool may_wait() const { return false; }

  /// Input and offset of the first byte that was in no piece yet, for messages. If it was read ahead, the position of
  /// the piece that was read ahead.
  virtual std::string position() const = 0;
};

/// A source that says how much memory it holds.
class MergeSource : public PieceSource {
 public:
  /// Memory that records take in the source.
  virtual std::uint64_t held_bytes() const = 0;
  /// Gives back memory that no record is in: the next ones may be short again.
  virtual void give_back() = 0;
};

}  // namespace sortie
