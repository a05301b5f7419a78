// Holds pieces of input that were read before an engine could take them: a GPU takes longer to start than the first
// gigabytes take to read. Filled and emptied by the record reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>

#include "base/memory_region.hpp"
#include "record/layout.hpp"
#include "record/record_totals.hpp"

namespace sortie {

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

}  // namespace sortie
