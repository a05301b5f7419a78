#include "pipeline/runs/ordered_delivery.hpp"

#include <algorithm>

#include "base/memory_region.hpp"
#include "base/parallel.hpp"

namespace sortie {
namespace {

/// Lines that pass at a time, for each thread: keys and references to a few megabytes of lines, which stay in the
/// caches; or lines themselves, some of which are written while all threads work on the next.
constexpr std::uint64_t kPassedReferenceBytes = 512 << 10;
constexpr std::uint64_t kPassedLineBytes = 2 << 20;

}  // namespace

void deliver_in_order(KeyedReader& lines, bool refer, std::uint64_t most_bytes, const PartConsumer& consume) {
  const std::uint64_t piece_bytes = parallel_threads() * (refer ? kPassedReferenceBytes : kPassedLineBytes);
  MemoryRegion memory(std::min(piece_bytes, most_bytes));
  while (true) {
    const PieceSource::Piece piece = lines.read(memory.bytes(), memory.size());
    if (piece.status == PieceSource::Status::kEnd) return;
    if (!lines.are_in_order()) throw NeedsRuns();
    if (piece.status == PieceSource::Status::kRecords) {
      consume(memory.bytes().first(piece.bytes));
    } else {
      const std::uint64_t larger = 2 * std::max<std::uint64_t>(memory.size(), piece.bytes);
      if (larger > most_bytes) throw NeedsRuns();
      memory = MemoryRegion(larger);
    }
  }
}

}  // namespace sortie
