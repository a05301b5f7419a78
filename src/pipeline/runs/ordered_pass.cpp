#include "pipeline/runs/ordered_pass.hpp"

#include <algorithm>

#include "base/memory_region.hpp"

namespace sortie {

void pass_on_in_order(DecoratingReader& lines, std::uint64_t piece_bytes, std::uint64_t most_bytes,
                      const PartConsumer& consume) {
  MemoryRegion memory(std::min(piece_bytes, most_bytes));
  while (true) {
    const PieceSource::Piece piece = lines.read(memory.bytes(), memory.size());
    if (piece.status == PieceSource::Status::kEnd) return;
    if (!lines.are_in_order()) throw LinesOutOfOrder();
    if (piece.status == PieceSource::Status::kRecords) {
      consume(memory.bytes().first(piece.bytes));
    } else {
      const std::uint64_t larger = 2 * std::max<std::uint64_t>(memory.size(), piece.bytes);
      if (larger > most_bytes) throw LinesOutOfOrder();
      memory = MemoryRegion(larger);
    }
  }
}

}  // namespace sortie
