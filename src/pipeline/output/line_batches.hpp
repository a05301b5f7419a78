// Fetches lines from where they lie, and writes them. Lists of lines are cut into pieces, one of which a thread
// fetches: into a batch that is written while the next one is fetched, or, where the output has space for that, into
// memory of its own from which it writes the piece. Used by the finisher that fetches lines.
//
//   piece   | line line line | line line |
//   batch   | piece piece piece | piece piece |     pieces in parallel, side by side
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "base/parallel.hpp"
#include "entries/entry.hpp"
#include "pipeline/output/part_writer.hpp"
#include "record/record_totals.hpp"

namespace sortie {

/// Lines that one thread fetches.
struct LinePiece {
  std::span<const Entry> lines;  ///< at least one
  std::uint64_t bytes = 0;       ///< length of the lines
  bool adjacent = false;         ///< they lie one after another in memory, in this order

  std::uint64_t first_offset() const { return offset_of(lines.front()); }
  /// Whether `next` lies directly behind this piece.
  bool adjoins(const LinePiece& next) const {
    return adjacent && next.adjacent && first_offset() + bytes == next.first_offset();
  }
};

/// Cuts `lines` into pieces of at most 256 KiB, or of one longer line, and appends them to `pieces`.
void cut_into_pieces(const ChunkRecords& records, std::span<const Entry> lines, std::vector<LinePiece>& pieces);

class LineBatches {
 public:
  /// Two batches of `batch_bytes` are in memory. `writer` must outlive this.
  LineBatches(const ChunkRecords& records, bool checksum, std::size_t batch_bytes, PartWriter& writer)
      : records_(records), checksum_(checksum), batch_bytes_(batch_bytes), writer_(writer) {}

  /// Writes the lines of all pieces, or begins to: their entries must stay until the next call, and the writer be
  /// waited for. Returns their totals. Parallel.
  RecordTotals write(std::span<const LinePiece> pieces);

 private:
  RecordTotals write_to(const OutputSpace& space, std::span<const LinePiece> pieces);
  RecordTotals write_piece(const OutputSpace& space, std::uint64_t at, const LinePiece& piece);
  RecordTotals fetch_batch(std::span<const LinePiece> pieces);
  RecordTotals totals_of_piece(const LinePiece& piece, std::span<const std::byte> bytes) const;

  ChunkRecords records_;
  bool checksum_;
  std::size_t batch_bytes_;
  PartWriter& writer_;
  OnePerThread<std::vector<std::byte>> piece_memory_;
  std::array<MemoryRegion, 2> batches_;
  std::size_t next_batch_ = 0;
};

}  // namespace sortie
