#include "pipeline/runs/ordered_pass.hpp"

#include <algorithm>

#include "base/memory_region.hpp"
#include "base/parallel.hpp"

namespace sortie {
namespace {

/// For each thread. More leaves the caches of two of them.
constexpr std::uint64_t kThreadBytes = 512 << 10;

}  // namespace

void pass_on_in_order(DecoratingReader& lines, std::uint64_t most_bytes, const PartConsumer& consume) {
  MemoryRegion memory(std::min(parallel_threads() * kThreadBytes, most_bytes));
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
