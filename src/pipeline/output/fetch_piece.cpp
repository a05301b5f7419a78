#include "pipeline/output/fetch_piece.hpp"

#include "entries/gather.hpp"

namespace sortie {
namespace {

/// A piece stays in a core's cache while it is copied and checksummed.
constexpr std::uint64_t kPieceBytes = 256 << 10;

std::uint64_t offset_of(const Entry& line) { return line.location >> 24; }

}  // namespace

void cut_into_pieces(const ChunkRecords& records, std::span<const Entry> lines, std::vector<FetchPiece>& pieces) {
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    FetchPiece piece{{}, records[lines[begin]].size(), true};
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

RecordTotals fetch_piece(const ChunkRecords& records, const FetchPiece& piece, std::span<std::byte> target,
                         bool checksum) {
  gather(records, piece.lines, target);
  return totals_of_piece(records, piece, target, checksum);
}

RecordTotals totals_of_piece(const ChunkRecords& records, const FetchPiece& piece, std::span<const std::byte> bytes,
                             bool checksum) {
  RecordTotals totals{piece.lines.size(), piece.bytes, {}};
  if (!checksum) return totals;
  std::size_t at = 0;
  for (const Entry& line : piece.lines) {
    const std::size_t size = records[line].size();
    totals.checksum += hash_record(bytes.subspan(at, size));
    at += size;
  }
  return totals;
}

}  // namespace sortie
