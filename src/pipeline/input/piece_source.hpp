// Where records come from, in pieces of whole ones: read as they are (RecordReader), decorated on the way
// (DecoratingReader), or only those that may be among the first of the output (TopRecords). Run formation takes any of
// them, what looks at inputs piece by piece the first two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

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
    std::uint64_t input_bytes = 0;  ///< of the same records as they were read
  };

  struct WholeInput {
    std::uint64_t bytes = 0;    ///< room for them
    std::uint64_t records = 0;  ///< at the most, as far as it can be told
  };

  /// Fills `target` with whole records, at most `max_records` of them. Throws Error if the input is bad.
  virtual Piece read(std::span<std::byte> target, std::uint64_t max_records) = 0;

  /// How much there is, if read_whole() may be worth trying; else 0.
  virtual WholeInput whole_input() const { return {}; }
  /// All records as one piece, without copying them: the pages of `target`, memory of mmap(), are replaced. Status
  /// kTooSmall, and nothing is done, if that cannot be had. tend() must be called then while the records are used.
  virtual Piece read_whole(std::span<std::byte> target, std::uint64_t max_records) {
    static_cast<void>(target);
    static_cast<void>(max_records);
    return {Status::kTooSmall};
  }
  virtual void tend() {}

  /// Totals of the records that have been read from the inputs and that no piece has held yet.
  virtual RecordTotals kept_back() const { return {}; }

  /// Whether it is known that no records are left. A pipe tells only when it is read.
  virtual bool at_end() const = 0;

  /// Whether read() gives what is there, and may have to wait for that: others write to a pipe.
  virtual bool may_wait() const { return false; }

  /// The input and the offset of the first byte that no piece has held yet, for messages; where it was read before it
  /// was asked for, of the piece in which it was.
  virtual std::string position() const = 0;
};

}  // namespace sortie
