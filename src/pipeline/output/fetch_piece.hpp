// Lines that one thread fetches from where they lie. Pieces are cut out of longer lists of lines here, and the line
// fetcher combines them into batches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "entries/entry.hpp"
#include "record/record_totals.hpp"

namespace sortie {

struct FetchPiece {
  std::span<const Entry> lines;  ///< at least one
  std::uint64_t bytes = 0;       ///< length of the lines
  bool adjacent = false;         ///< they lie one after another in memory, in this order

  std::uint64_t first_offset() const { return lines.front().location >> 24; }
  /// Whether `next` lies directly behind this piece.
  bool adjoins(const FetchPiece& next) const {
    return adjacent && next.adjacent && first_offset() + bytes == next.first_offset();
  }
};

/// Cuts `lines` into pieces of at most 256 KiB, or of one longer line, and appends them to `pieces`.
void cut_into_pieces(const ChunkRecords& records, std::span<const Entry> lines, std::vector<FetchPiece>& pieces);

/// Copies the lines of a piece to `target`, which is as long, and returns their totals.
RecordTotals fetch_piece(const ChunkRecords& records, const FetchPiece& piece, std::span<std::byte> target,
                         bool checksum);

/// The totals of a piece whose lines lie at `bytes`.
RecordTotals totals_of_piece(const ChunkRecords& records, const FetchPiece& piece, std::span<const std::byte> bytes,
                             bool checksum);

}  // namespace sortie
