// Lines that one thread fetches from where they lie. Cut out of longer lists of lines here, put together to batches by
// the line fetcher.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cpu/chunk_records.hpp"
#include "record/record_totals.hpp"

namespace sortie {

struct FetchPiece {
  std::span<const Entry> lines;  ///< at least one
  std::uint64_t bytes = 0;       ///< of them
  bool adjacent = false;         ///< they lie behind one another, in this order

  std::uint64_t first_offset() const { return lines.front().location >> 24; }
  /// Whether `next` lies behind them.
  bool adjoins(const FetchPiece& next) const {
    return adjacent && next.adjacent && first_offset() + bytes == next.first_offset();
  }
};

/// Appends pieces of at most a quarter of a megabyte, or of one line that is longer.
void cut_into_pieces(const ChunkRecords& records, std::span<const Entry> lines, std::vector<FetchPiece>& pieces);

/// Copies the lines of a piece to `target`, which is as long, and returns their totals.
RecordTotals fetch_piece(const ChunkRecords& records, const FetchPiece& piece, std::span<std::byte> target,
                         bool checksum);

/// The totals of the lines of a piece that lie at `bytes`.
RecordTotals totals_of_piece(const ChunkRecords& records, const FetchPiece& piece, std::span<const std::byte> bytes,
                             bool checksum);

}  // namespace sortie
