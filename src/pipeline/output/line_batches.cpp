#include "pipeline/output/line_batches.hpp"

#include <algorithm>
#include <functional>

#include "base/parallel.hpp"
#include "entries/part_maker.hpp"

namespace sortie {
namespace {

/// A piece stays in a core's cache while it is copied and checksummed.
constexpr std::uint64_t kPieceBytes = 256 << 10;

}  // namespace

void cut_into_pieces(const ChunkRecords& records, std::span<const Entry> lines, std::vector<LinePiece>& pieces) {
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    LinePiece piece{{}, records[lines[begin]].size(), true};
    for (end = begin + 1; end < lines.size(); ++end) {
      const std::uint64_t bytes = records[lines[end]].size();
      if (piece.bytes + bytes > kPieceBytes) break;
      piece.adjacent = piece.adjacent && offset_of(lines[begin]) + piece.bytes == offset_of(lines[end]);
      piece.bytes += bytes;
    }
    piece.lines = lines.subspan(begin, end - begin);
    pieces.push_back(piece);
  }
}

RecordTotals LineBatches::fetch(std::span<const LinePiece> pieces, Room room, Show show, const Consumer& consumer) {
  RecordTotals totals;
  for (std::size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
    std::uint64_t bytes = pieces[begin].bytes;
    for (end = begin + 1; end < pieces.size() && bytes + pieces[end].bytes <= batch_bytes_; ++end) {
      bytes += pieces[end].bytes;
    }
    const std::uint64_t position = totals.bytes;
    totals += fetch_batch(pieces.subspan(begin, end - begin), room(position, bytes), position, show, consumer);
  }
  return totals;
}

// Lines that lie one after another already are not copied. While one batch is written the next one is fetched.
RecordTotals LineBatches::fetch_batch(std::span<const LinePiece> pieces, std::span<std::byte> room, std::uint64_t begin,
                                      Show show, const Consumer& consumer) {
  std::vector<std::size_t> begins;
  std::size_t bytes = 0;
  bool adjacent = pieces[0].adjacent;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    begins.push_back(bytes);
    bytes += pieces[i].bytes;
    adjacent = adjacent && (i == 0 || pieces[i - 1].adjoins(pieces[i]));
  }
  std::span<const std::byte> lines;
  std::span<std::byte> target;
  if (adjacent) {
    lines = records_.bytes().subspan(pieces[0].first_offset(), bytes);
  } else if (!room.empty()) {
    lines = target = room;
  } else {
    MemoryRegion& batch = batches_[next_batch_++ % batches_.size()];
    if (batch.size() == 0) batch = MemoryRegion(batch_bytes_);
    lines = target = batch.bytes().first(bytes);
  }
  const Fetched fetched = parallel_reduce(
      pieces.size(), Fetched{},
      [&](std::size_t i, Fetched sum) {
        const std::size_t piece_bytes = static_cast<std::size_t>(pieces[i].bytes);
        if (!adjacent) gather(records_, pieces[i].lines, target.subspan(begins[i], piece_bytes));
        const std::span<const std::byte> piece = lines.subspan(begins[i], piece_bytes);
        return sum + Fetched{totals_of_piece(pieces[i], piece), show(begin + begins[i], piece)};
      },
      std::plus<>());
  consumer(lines, fetched.is_shown);
  return fetched.totals;
}

RecordTotals LineBatches::totals_of_piece(const LinePiece& piece, std::span<const std::byte> bytes) const {
  RecordTotals totals{piece.lines.size(), piece.bytes, {}};
  if (!checksum_) return totals;
  std::size_t at = 0;
  for (const Entry& line : piece.lines) {
    // A line of a file that somebody has changed since may be longer than it was.
    const std::size_t size = std::min(records_[line].size(), bytes.size() - at);
    totals.checksum += hash_record(bytes.subspan(at, size));
    at += size;
  }
  return totals;
}

}  // namespace sortie
