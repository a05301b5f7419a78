#include "pipeline/input/read_ahead.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "record/record_scan.hpp"

namespace sortie {

void ReadAhead::keep(MemoryRegion memory, const RecordTotals& totals, std::string position) {
  bytes_ += totals.bytes;
  memory_bytes_ += memory.size();
  pieces_.push_back({std::move(memory), 0, totals, std::move(position)});
}

// Pieces are as long as those of the engines, so a whole piece nearly always fits and need not be counted again.
RecordTotals ReadAhead::totals_of_fitting(const Piece& piece, std::size_t room, std::uint64_t max_records) const {
  if (piece.totals.bytes <= room && piece.totals.records <= max_records) return piece.totals;
  const auto rest = piece.memory.bytes().subspan(piece.begin, static_cast<std::size_t>(piece.totals.bytes));
  const std::size_t whole = whole_records(layout_, rest.first(std::min(rest.size(), room)));
  return totals_of(format_, rest.first(first_records(layout_, rest.first(whole), max_records)), checksum_);
}

RecordTotals ReadAhead::take(std::span<std::byte> target, std::uint64_t max_records) {
  Piece& piece = pieces_.front();
  const RecordTotals taken = totals_of_fitting(piece, target.size(), max_records);
  copy_in_parallel(target, piece.memory.bytes().subspan(piece.begin, static_cast<std::size_t>(taken.bytes)));
  piece.begin += static_cast<std::size_t>(taken.bytes);
  piece.totals = piece.totals - taken;
  bytes_ -= taken.bytes;
  if (piece.totals.records == 0) {
    memory_bytes_ -= piece.memory.size();
    pieces_.pop_front();
  }
  return taken;
}

}  // namespace sortie
